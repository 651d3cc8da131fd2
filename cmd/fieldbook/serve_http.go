package main

import (
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// eventsPath is where pages ask for changes. No experiment has a name that
// begins with a dot.
const eventsPath = "/.fieldbook/events"

// breath is after how long a stream without a change says that it is there.
const breath = 15 * time.Second

// handler answers requests for the site. Nothing of a request's path ever
// reaches the file system: a name is looked up among the experiments, a
// figure among those of its page. listening is the address as the person
// wrote it.
func (v *preview) handler(listening string) http.Handler {
	host, _, _ := net.SplitHostPort(listening)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		head.Set("Cache-Control", "no-store")
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "no-referrer")
		head.Set("Cross-Origin-Resource-Policy", "same-origin")
		head.Set("X-Frame-Options", "DENY")
		switch {
		case !askedHere(r.Host, host):
			http.Error(w, "this notebook is not served under that name", http.StatusMisdirectedRequest)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			head.Set("Allow", "GET, HEAD")
			http.Error(w, "a page can only be read", http.StatusMethodNotAllowed)
		case r.URL.Path == eventsPath:
			v.events(w, r)
		default:
			v.answer(w, r)
		}
	})
}

// askedHere says whether a request's host is one that this server can have
// been asked under: an address, localhost, or the name that it was told to
// listen at. Another name may be that of a page elsewhere, which had it point
// here to read what only this machine may see (DNS rebinding).
func askedHere(asked, listening string) bool {
	host := asked
	if h, _, err := net.SplitHostPort(asked); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	return host == "localhost" || host != "" && host == strings.ToLower(listening)
}

// pathOf is the address of an experiment's page on this server.
func pathOf(name string) string { return "/" + url.PathEscape(name) + "/" }

// answer gives a page or a file of one.
func (v *preview) answer(w http.ResponseWriter, r *http.Request) {
	name, rest, inside := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if name == "" && !inside || name == "index.html" && !inside {
		v.answerIndex(w)
		return
	}
	page := v.page(name)
	switch {
	case page == nil:
		notFound(w, fmt.Sprintf("there is no experiment %q in this notebook", name))
	case !inside:
		http.Redirect(w, r, pathOf(name), http.StatusFound)
	case rest == "" || rest == "index.html":
		sendHTML(w, lively(page.html, view{name, page.version, v.panel(page)}))
	default:
		page.file(w, rest)
	}
}

func (v *preview) answerIndex(w http.ResponseWriter) {
	page, version, err := v.front()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	sendHTML(w, lively(page, view{"", version, ""}))
}

// file gives one of the files beside a page.
func (p *leaf) file(w http.ResponseWriter, name string) {
	if p.good == nil {
		notFound(w, "this report was never without errors since fieldbook serve began")
		return
	}
	if name == "report.md" {
		w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
		_, _ = w.Write(p.good.Markdown())
		return
	}
	files := p.good.Files()
	data, ok := files[name]
	if !ok {
		notFound(w, fmt.Sprintf("this report has no file %q; it has report.md, %s", name, strings.Join(slices.Sorted(maps.Keys(files)), ", ")))
		return
	}
	// A picture is no page: nothing in it may run.
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	w.Header().Set("Content-Type", fileType(name))
	_, _ = w.Write(data)
}

var fileTypes = map[string]string{
	".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp",
}

func fileType(name string) string {
	if t := fileTypes[strings.ToLower(path.Ext(name))]; t != "" {
		return t
	}
	return "application/octet-stream"
}

func sendHTML(w http.ResponseWriter, page []byte) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(page)
}

func notFound(w http.ResponseWriter, why string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	_, _ = fmt.Fprintln(w, why)
}

// events is a stream of server-sent events: the version of a page, each time
// when it is another than the one that the reader has.
func (v *preview) events(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("page")
	has, _ := strconv.Atoi(r.URL.Query().Get("version"))
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	_, _ = fmt.Fprint(w, "retry: 500\n\n")
	for {
		renewed, version := v.wait(name)
		if version != has {
			has = version
			_, _ = fmt.Fprintf(w, "data: %d\n\n", version)
		}
		if out.Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-renewed:
		case <-time.After(breath):
			_, _ = fmt.Fprint(w, ": here\n\n")
		}
	}
}
