package iiop

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// corbalocPort is the port of a corbaloc address that names none.
const corbalocPort = "2809"

// parseCorbaloc reads what follows "corbaloc:": one IIOP address and a key,
// as in ":host:port/key" or "iiop:1.0@host/key". Escapes with % hold in the
// key. Lists of addresses and other protocols are refused; so is a version
// above 1.2, since the text would not mean what we read.
func parseCorbaloc(s string) (IOR, error) {
	where, key, found := strings.Cut(s, "/")
	if !found || key == "" {
		return IOR{}, corbalocError(s, "no key after /")
	}
	where, ours := strings.CutPrefix(strings.TrimPrefix(where, "iiop"), ":")
	if !ours {
		return IOR{}, corbalocError(s, "protocol is not iiop")
	}
	if version, rest, versioned := strings.Cut(where, "@"); versioned {
		if version != "1.0" && version != "1.1" && version != "1.2" {
			return IOR{}, corbalocError(s, "version "+version+", want 1.0, 1.1 or 1.2")
		}
		where = rest
	}
	if strings.Contains(where, ",") {
		return IOR{}, corbalocError(s, "more than one address")
	}
	at, err := splitAddress(where)
	if err != nil {
		return IOR{}, corbalocError(s, err.Error())
	}
	unescaped, err := url.PathUnescape(key)
	if err != nil {
		return IOR{}, corbalocError(s, err.Error())
	}
	at.Key = []byte(unescaped)
	return NewIOR("", at)
}

func corbalocError(s, what string) error {
	return fmt.Errorf("%w: corbaloc:%.60s: %s", ErrMalformed, s, what)
}

// splitAddress reads host[:port].
func splitAddress(s string) (Address, error) {
	if !strings.Contains(s, ":") || strings.HasSuffix(s, "]") {
		s += ":" + corbalocPort
	}
	host, port, err := net.SplitHostPort(s)
	if err != nil {
		return Address{}, err
	}
	if host == "" {
		return Address{}, fmt.Errorf("no host")
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return Address{}, fmt.Errorf("port %q, want 0 to 65535", port)
	}
	return Address{Host: host, Port: uint16(n)}, nil
}
