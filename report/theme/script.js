(function () {
  "use strict";
  var root = document.documentElement;
  function each(list, f) { Array.prototype.forEach.call(list, f); }
  function all(sel, in_) { return (in_ || document).querySelectorAll(sel); }

  // theme: as the reader's system says, or the other one
  var themeButton = document.querySelector("button.theme");
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  function isDark() {
    var t = root.getAttribute("data-theme");
    return t ? t === "dark" : dark.matches;
  }
  function nameTheme() { themeButton.textContent = isDark() ? "☼ light" : "☾ dark"; themeButton.setAttribute("aria-label", "Switch to the " + (isDark() ? "light" : "dark") + " theme"); }
  if (themeButton) {
    themeButton.hidden = false;
    nameTheme();
    themeButton.addEventListener("click", function () {
      var t = isDark() ? "light" : "dark";
      if ((t === "dark") === dark.matches) { root.removeAttribute("data-theme"); } else { root.setAttribute("data-theme", t); }
      try {
        if (root.hasAttribute("data-theme")) { localStorage.setItem("fieldbook-theme", t); } else { localStorage.removeItem("fieldbook-theme"); }
      } catch (e) { /* a page from a file may not remember */ }
      nameTheme();
    });
    if (dark.addEventListener) { dark.addEventListener("change", nameTheme); }
  }

  // contents: where the reader is
  var links = all("nav .toc a[href^='#']"), heads = [];
  each(links, function (a) {
    var h = document.getElementById(decodeURIComponent(a.getAttribute("href").slice(1)));
    if (h) { heads.push([h, a]); }
  });
  function mark() {
    var here = null;
    heads.forEach(function (p) { if (p[0].getBoundingClientRect().top < 140) { here = p[1]; } });
    if (window.innerHeight + window.scrollY >= document.body.scrollHeight - 4 && heads.length) { here = heads[heads.length - 1][1]; }
    each(links, function (a) { if (a === here) { a.setAttribute("aria-current", "true"); } else { a.removeAttribute("aria-current"); } });
  }
  if (heads.length) { window.addEventListener("scroll", mark, { passive: true }); mark(); }

  // claims lie over the page on a phone, until one is chosen
  each(all(".claimed a"), function (a) { a.addEventListener("click", function () { if (window.innerWidth <= 900) { a.closest("details").open = false; } }); });

  // what a link points to is opened
  function openTarget() {
    var t = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (var e = t; e; e = e.parentElement) { if (e.tagName === "DETAILS") { e.open = true; } }
    if (t) { t.scrollIntoView(); }
  }
  window.addEventListener("hashchange", openTarget);
  if (location.hash) { openTarget(); }

  // print: everything open, then as it was
  var opened = [];
  window.addEventListener("beforeprint", function () {
    opened = Array.prototype.filter.call(all("details:not(.data)"), function (d) { return !d.open; });
    opened.forEach(function (d) { d.open = true; });
  });
  window.addEventListener("afterprint", function () { opened.forEach(function (d) { d.open = false; }); });

  // tables: sorted by a column
  function key(row, i) {
    var c = row.cells[i];
    if (!c) { return ""; }
    return c.hasAttribute("data-sort") ? c.getAttribute("data-sort") : c.textContent.trim();
  }
  function number(s) { var x = parseFloat(s.replace("−", "-").replace(/[,\u202f\u00a0](?=\d{3})/g, "")); return /^[-+−]?[\d.]/.test(s) && !isNaN(x) ? x : null; }
  function compare(a, b) {
    var x = number(a), y = number(b);
    if (x !== null && y !== null) { return x - y; }
    if (x !== null || y !== null) { return x !== null ? -1 : 1; }
    return a < b ? -1 : a > b ? 1 : 0;
  }
  function sort(table, i, th) {
    var body = table.tBodies[0], down = th.getAttribute("aria-sort") === "ascending";
    var rows = Array.prototype.slice.call(body.rows).map(function (r, n) { return [key(r, i), n, r]; });
    rows.sort(function (a, b) { return (down ? compare(b[0], a[0]) : compare(a[0], b[0])) || a[1] - b[1]; });
    rows.forEach(function (r) { body.appendChild(r[2]); });
    each(th.parentElement.cells, function (h) { h.removeAttribute("aria-sort"); });
    th.setAttribute("aria-sort", down ? "descending" : "ascending");
  }
  function sortable(table) {
    if (!table.tHead || !table.tBodies[0] || table.tBodies[0].rows.length < 3) { return; }
    each(table.tHead.rows[0].cells, function (th, i) {
      if (th.hasAttribute("data-bar")) { return; }
      var b = document.createElement("button");
      b.type = "button";
      while (th.firstChild) { b.appendChild(th.firstChild); }
      b.addEventListener("click", function () { sort(table, i, th); });
      th.appendChild(b);
    });
  }
  each(all("table.sortable"), sortable);

  // the numbers behind a figure: a table once they are looked at
  function dataTable(details) {
    var pre = details.querySelector("pre");
    if (!pre) { return details.querySelector("table"); }
    var table = document.createElement("table"), head = table.createTHead(), body = table.createTBody();
    table.setAttribute("data-same", pre.getAttribute("data-same") || "[]");
    table.createCaption().textContent = pre.getAttribute("data-caption");
    var above = [], whole = +pre.getAttribute("data-whole");
    pre.textContent.replace(/\n$/, "").split("\n").forEach(function (line, n) {
      var row = (n ? body : head).insertRow(), cells = line.split("\t"), i;
      for (i = 0; n > 1 && i < whole && !cells[i]; i++) { cells[i] = above[i]; } // left out where it is that of the row above
      while (cells.length < above.length) { cells.push(""); }
      above = cells;
      cells.forEach(function (text) {
        var cell = document.createElement(n ? "td" : "th");
        if (!n) { cell.scope = "col"; }
        cell.textContent = text;
        row.appendChild(cell);
      });
    });
    pre.parentElement.replaceChild(table, pre);
    sortable(table);
    return table;
  }
  each(all("details.data"), function (d) { d.addEventListener("toggle", function () { if (d.open) { dataTable(d); } }); });

  // tooltips of a figure's marks stand in a list; each comes to its mark once the figure is pointed at
  function hangTips(fig) {
    var list = fig.querySelector(".tips"), tips = [], n = 0;
    if (!list) { return; }
    var lines = list.textContent.split("\n");
    for (var i = 0; i + 1 < lines.length; i += 2) {
      lines[i + 1].split(";").forEach(function (numbers) {
        numbers = numbers.split(" ");
        tips.push(lines[i].split("#").reduce(function (tip, part, k) { return tip + numbers[k - 1] + part; }));
      });
    }
    list.remove();
    function hang(e, tip) {
      var t = document.createElementNS(e.namespaceURI, "title");
      t.textContent = tip;
      e.insertBefore(t, e.firstChild);
    }
    each(all("svg .t > path", fig), function (e) {
      e.getAttribute("d").split(/(?=M)/).forEach(function (d) {
        if (!tips[n]) { n++; return; }
        var hit = document.createElementNS(e.namespaceURI, "path");
        hit.setAttribute("class", "hit");
        hit.setAttribute("d", d);
        hang(hit, tips[n++]);
        e.parentElement.appendChild(hit);
      });
    });
  }
  each(all("figure"), function (fig) { fig.addEventListener("pointerover", function () { hangTips(fig); }); });

  // tables and figures: copied and saved
  function quoted(s) { return /[",\n]/.test(s) ? '"' + s.replace(/"/g, '""') + '"' : s; }
  function csv(table) {
    var same = JSON.parse(table.getAttribute("data-same") || "[]"); // head, value, head, value: alike in all rows
    return Array.prototype.map.call(table.rows, function (r, n) {
      var cells = same.filter(function (_, i) { return i % 2 === (n > 0 ? 1 : 0); });
      return cells.concat(Array.prototype.map.call(r.cells, function (c) { return c.textContent.trim().replace(/\s+/g, " "); })).map(quoted).join(",");
    }).join("\n") + "\n";
  }
  function save(name, blob) {
    var a = document.createElement("a"), url = URL.createObjectURL(blob);
    a.href = url; a.download = name;
    a.click();
    setTimeout(function () { URL.revokeObjectURL(url); }, 1000);
  }
  function tool(to, text, label, f) {
    var b = document.createElement("button");
    b.type = "button"; b.textContent = text; b.setAttribute("aria-label", label);
    b.addEventListener("click", function () { f(b); });
    if (to.childNodes.length > 0) { to.appendChild(document.createTextNode(" · ")); }
    to.appendChild(b);
  }
  function copy(b, text) {
    navigator.clipboard.writeText(text).then(function () { b.textContent = "copied"; setTimeout(function () { b.textContent = "copy"; }, 1500); }, function () { b.textContent = "not allowed here"; });
  }
  // the figure with the colours of the page as it is now
  function alone(svg) {
    hangTips(svg.closest("figure"));
    var copy = svg.cloneNode(true), box = svg.viewBox.baseVal, seen = getComputedStyle(root);
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", box.width); copy.setAttribute("height", box.height);
    var css = "";
    each(document.styleSheets, function (sheet) {
      each(sheet.cssRules, function (rule) { if (rule.selectorText && rule.selectorText.indexOf(".fig ") === 0 || rule.selectorText === ".fig") { css += rule.cssText + "\n"; } });
    });
    css = css.replace(/var\((--[\w-]+)\)/g, function (_, name) { return seen.getPropertyValue(name).trim(); });
    var style = document.createElementNS("http://www.w3.org/2000/svg", "style");
    style.textContent = css;
    copy.insertBefore(style, copy.firstChild);
    return new XMLSerializer().serializeToString(copy);
  }
  function png(svg, name) {
    var box = svg.viewBox.baseVal, scale = 2, img = new Image();
    img.onload = function () {
      var c = document.createElement("canvas"), g = c.getContext("2d");
      c.width = box.width * scale; c.height = box.height * scale;
      g.fillStyle = getComputedStyle(document.body).backgroundColor;
      g.fillRect(0, 0, c.width, c.height);
      g.drawImage(img, 0, 0, c.width, c.height);
      c.toBlob(function (b) { save(name + ".png", b); });
    };
    img.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(alone(svg));
  }
  each(all("figure"), function (fig) {
    var at = fig.querySelector(".tools"), svg = fig.querySelector("svg"), data = fig.querySelector("details.data"), what = " of " + (fig.getAttribute("data-number") || "the figure");
    if (!at || !svg) { return; }
    tool(at, "SVG", "Save the SVG" + what, function () { save(fig.id + ".svg", new Blob([alone(svg)], { type: "image/svg+xml" })); });
    tool(at, "PNG", "Save a PNG" + what, function () { png(svg, fig.id); });
    if (data) { tool(at, "CSV", "Save the CSV" + what, function () { save(fig.id + ".csv", new Blob([csv(dataTable(data))], { type: "text/csv" })); }); }
    at.hidden = false;
  });
  each(all(".listing"), function (l) {
    var at = l.querySelector(".tools"), pre = l.querySelector("pre");
    if (!at || !pre || !navigator.clipboard) { return; }
    tool(at, "copy", "Copy this listing", function (b) { copy(b, pre.textContent); });
    at.hidden = false;
  });
  each(all(".tab"), function (tab) {
    var at = tab.querySelector(".tools"), table = tab.querySelector("table");
    if (!at || !table || !navigator.clipboard) { return; }
    tool(at, "copy", "Copy this table as CSV", function (b) { copy(b, csv(table)); });
    at.hidden = false;
  });
})();
