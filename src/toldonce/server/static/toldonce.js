// What the pages do beyond links and forms: live updates, the toast, keys. Without it every page still works.
"use strict";

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

// Live updates: one event stream a page. Events hold no text; the page itself is asked again, under the same rights.
// It begins at the place in what happened at which the page was made, so that nothing is missed before it is heard.
const live = { source: null, timer: 0, lost: 0, fetching: false, again: false, place: document.body.dataset.place };

function showLive(state) {
  const shown = $("#live");
  if (!shown) return;
  shown.hidden = false;
  shown.dataset.state = state;
  $("span", shown).textContent = shown.dataset[state];
}

function listen() {
  live.source = new EventSource(`${document.body.dataset.events}?last_event_id=${encodeURIComponent(live.place)}`);
  live.source.onopen = () => { clearTimeout(live.lost); live.lost = 0; showLive("live"); };
  live.source.onerror = () => {
    live.lost = live.lost || setTimeout(() => showLive("waiting"), 5000);
    // The browser gives up on an answer that is no stream, such as that to a session that ended.
    if (live.source.readyState === EventSource.CLOSED) { clearTimeout(live.lost); showLive("offline"); }
  };
  for (const name of ["record", "question", "job"]) live.source.addEventListener(name, happened);
}

function happened(event) {
  live.place = event.lastEventId || live.place;
  refreshSoon();
}

function refreshSoon(ms = 120) {
  clearTimeout(live.timer);
  live.timer = setTimeout(refresh, ms);
}

async function refresh() {
  if (live.fetching) { live.again = true; return; }
  live.fetching = true;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html", "X-Live": "1" } });
    if (answer.ok) merge(new DOMParser().parseFromString(await answer.text(), "text/html"));
    else if (answer.status === 429 || answer.status >= 500) refreshSoon(5000);
  } catch {
    // The server is away, which the event stream says; what happened is not told again.
    refreshSoon(5000);
  }
  live.fetching = false;
  if (live.again) { live.again = false; refreshSoon(); }
}

// A part is replaced when it changed, unless the reader is in it: focus, a form that was changed, an open menu, a mark.
function isBusy(part) {
  if (part.contains(document.activeElement) && document.activeElement !== document.body) return true;
  return $$("form[data-changed], details[open], input:checked", part).length > 0;
}

// Parts with an id and `data-part` are replaced in place. Rows (`data-record`) that are new wait until they are asked for.
function merge(fresh) {
  const parts = [...$$("[data-part][id]"), $("#nav-counts"), $("#tab-count")].filter(Boolean);
  for (const part of parts) {
    const next = fresh.getElementById(part.id);
    if (!next || next.outerHTML === part.dataset.seen || next.isEqualNode(part) || isBusy(part)) continue;
    const adopted = document.adoptNode(next);
    if (part.dataset.part) adopted.classList.add("changed");
    part.replaceWith(adopted);
    window.htmx?.process(adopted);
  }
  const known = new Set($$("[data-record]").map((row) => row.dataset.record));
  const list = $("[data-list]");
  const news = $("#news");
  if (list && news && $$("[data-list] [data-record]", fresh).some((row) => !known.has(row.dataset.record))) news.hidden = false;
  prepare(document);
}

// The toast stays ten seconds, longer while the reader is on it. History has the same undoing for good.
let toastTimer = 0;

function watchToast() {
  const toast = $("#toast .toast");
  clearTimeout(toastTimer);
  if (!toast) return;
  const close = $("[data-close-toast]", toast);
  close.hidden = false;
  close.onclick = () => toast.remove();
  const leave = () => {
    if (toast.matches(":hover") || toast.contains(document.activeElement)) toastTimer = setTimeout(leave, 2000);
    else toast.remove();
  };
  toastTimer = setTimeout(leave, 10000);
}

// Keys: single letters, off while typing and where the person switched them off.
let going = false;

function rows() { return $$("[data-list] [data-record]"); }

function currentRow() {
  const focused = document.activeElement?.closest?.("[data-record]");
  return focused && focused.closest("[data-list]") ? focused : null;
}

function moveTo(step) {
  const link = $(step > 0 ? "a[rel=next]" : "a[rel=prev]");
  if (link) { link.click(); return; }
  const all = rows();
  if (!all.length) return;
  const place = all.indexOf(currentRow());
  const row = all[Math.min(Math.max(place + step, 0), all.length - 1)] || all[0];
  $("a[href]", row)?.focus();
}

function press(name) {
  const scope = currentRow() || $("[data-actions]");
  const found = scope && $(`[data-key="${name}"]`, scope);
  found?.click();
}

function showKeys() { $("#keys")?.showModal(); }

const keys = {
  "/": () => { const field = $("#q"); field?.focus(); field?.select(); },
  "?": showKeys,
  j: () => moveTo(1), k: () => moveTo(-1),
  x: () => press("select"), c: () => press("confirm"), e: () => press("correct"), p: () => press("pin"),
  z: () => $("[data-undo] button")?.click(),
};

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable], dialog");
  if (event.key === "Escape" && event.target.id === "q") { event.target.blur(); return; }
  if (typing || event.ctrlKey || event.metaKey || event.altKey || document.body.dataset.keys !== "on") return;
  if (going) {
    going = false;
    const link = $(`[data-go="${CSS.escape(event.key)}"]`);
    if (link) { event.preventDefault(); link.click(); }
    return;
  }
  if (event.key === "g") { going = true; setTimeout(() => { going = false; }, 1500); return; }
  const run = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
  if (run) { event.preventDefault(); run(); }
});

// Marks of selected rows, and the bar for them.
function countSelected() {
  const bar = $("#bulk");
  if (!bar) return;
  const chosen = $$("[data-select]:checked").length;
  bar.dataset.count = chosen;
  const shown = $("[data-count-shown]", bar);
  if (shown) shown.textContent = chosen;
}

// Forms that are sent when a field changes, and forms that were changed.
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-select]")) countSelected();
  if (event.target.form?.matches("[data-send]")) event.target.form.requestSubmit();
});
document.addEventListener("input", (event) => { if (event.target.form?.method === "post") event.target.form.dataset.changed = "1"; });
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-show-keys]")) showKeys();
  for (const open of $$("details.account[open], details.spaces[open]")) if (!open.contains(event.target)) open.open = false;
});

// Failed requests are reported in the page; the way back to sign-in is the page itself.
function tellTrouble(said) {
  const notice = $("#trouble");
  if (!notice) return;
  if (said) $("[data-said]", notice).textContent = said;
  notice.hidden = false;
  notice.scrollIntoView({ block: "nearest" });
}

document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  if (xhr.status === 401) { location.reload(); return; }
  // A conflict or a form with errors is a whole page: it is shown where the act was.
  if ([409, 412, 422].includes(xhr.status)) { event.detail.shouldSwap = true; event.detail.isError = false; }
});
document.addEventListener("htmx:responseError", (event) => {
  const page = new DOMParser().parseFromString(event.detail.xhr.responseText, "text/html");
  tellTrouble($("h1", page)?.textContent);
});
document.addEventListener("htmx:sendError", () => tellTrouble());
document.addEventListener("htmx:beforeRequest", (event) => { event.target.setAttribute("aria-busy", "true"); });
document.addEventListener("htmx:afterRequest", (event) => { event.target.removeAttribute("aria-busy"); });
document.addEventListener("htmx:afterSettle", (event) => {
  prepare(document);
  const alert = $("[role=alert][data-focus]", event.target);
  alert?.focus();
});

// Copying and printing need the script, so their buttons appear with it.
async function copyText(button, text) {
  await navigator.clipboard.writeText(text);
  button.classList.add("on");
  setTimeout(() => button.classList.remove("on"), 1500);
}
document.addEventListener("click", (event) => {
  const copy = event.target.closest("[data-copy]");
  if (copy) copyText(copy, $(copy.dataset.copy).textContent);
  const link = event.target.closest("[data-copy-link]");
  if (link) copyText(link, location.href);
  if (event.target.closest("[data-print]")) window.print();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || !event.target.matches("[data-send-on-enter]")) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});

function prepare(root) {
  for (const part of $$("[data-copy], [data-copy-link], [data-print]", root)) part.hidden = false;
  for (const part of $$("[data-show-keys]", root)) part.hidden = false;
  for (const part of $$("[data-without-script]", root)) part.hidden = true;
  watchToast();
  countSelected();
}

// A page that nobody sees listens to nothing: browsers allow few connections to one server, and each tab needs one.
function listenWhileSeen() {
  if (document.hidden) { live.source?.close(); live.source = null; return; }
  if (!live.source) listen();
}

prepare(document);
// A form that is shown again with what is wrong in it.
if (!$("[autofocus]")) $("[role=alert][data-focus]")?.focus();
if (document.body.dataset.events) {
  listenWhileSeen();
  document.addEventListener("visibilitychange", listenWhileSeen);
}
window.addEventListener("pagehide", () => live.source?.close());
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
