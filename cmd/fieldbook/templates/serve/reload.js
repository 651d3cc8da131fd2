(function () {
  "use strict";
  var at = document.getElementById("fieldbook-serve"), key = "fieldbook-place:" + location.pathname;
  function folds() { return Array.prototype.slice.call(document.querySelectorAll("main details")); }
  // The place is kept by the element above it that has an id, so that it stays where text above it grows or shrinks.
  function keep() {
    var mark = null;
    document.querySelectorAll("main [id]").forEach(function (e) {
      if (!e.closest("svg") && e.getClientRects().length > 0 && e.getBoundingClientRect().top <= 90) { mark = e; }
    });
    var place = { y: window.scrollY, open: folds().map(function (d) { return d.open; }) };
    if (mark) { place.id = mark.id; place.off = mark.getBoundingClientRect().top; }
    try { sessionStorage.setItem(key, JSON.stringify(place)); } catch (e) { /* then the browser's own memory has to do */ }
  }
  function restore() {
    var place = null;
    try { place = JSON.parse(sessionStorage.getItem(key)); sessionStorage.removeItem(key); } catch (e) { return; }
    if (!place) { return; }
    var now = folds();
    if (now.length === place.open.length) { now.forEach(function (d, i) { d.open = place.open[i]; }); }
    var mark = place.id && document.getElementById(place.id);
    window.scrollTo(0, mark ? window.scrollY + mark.getBoundingClientRect().top - place.off : place.y);
  }
  if ("scrollRestoration" in history && sessionStorage.getItem(key)) { history.scrollRestoration = "manual"; }
  restore();
  window.addEventListener("load", function () { history.scrollRestoration = "auto"; });
  var source = null, quiet = document.getElementById("fieldbook-lost");
  function listen() {
    source = new EventSource(at.getAttribute("data-events"));
    source.onmessage = function (e) {
      if (e.data === at.getAttribute("data-version")) { return; }
      source.close();
      keep();
      location.reload();
    };
    source.onerror = function () { quiet.hidden = false; };
    source.onopen = function () { quiet.hidden = true; };
  }
  // A browser keeps few connections to one server: pages that nobody sees would take them from those that are opened next.
  document.addEventListener("visibilitychange", function () {
    if (source) { source.close(); source = null; }
    if (!document.hidden) { listen(); }
  });
  if (!document.hidden) { listen(); }
})();
