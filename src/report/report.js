// The script of all pages: light and dark, keys, and the filters of the wall. Without it all can be seen. It
// stands before the body, so that a theme that was chosen is there from the start; the rest waits for the body.
"use strict";
const theme = {
  get isDark() { return (document.documentElement.dataset.theme || theme.ofSystem()) === "dark"; },
  ofSystem: () => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"),
  // A browser may forbid to remember.
  remembered() { try { return localStorage.getItem("tessera-theme"); } catch { return null; } },
  choose(name) {
    document.documentElement.dataset.theme = name;
    try { localStorage.setItem("tessera-theme", name); } catch { /* then it is for this page */ }
  },
};
if (["light", "dark"].includes(theme.remembered())) document.documentElement.dataset.theme = theme.remembered();

// ---- A page that lives reloads, and shows what it showed before ----
const live = {
  // What is seen at the top stays there, whatever has come in above it.
  anchors: () => [...document.querySelectorAll("main h1, main h2, .fresh, .tile:not([hidden])")],
  nameOf: (e) => e.id || (e.dataset.id ? `${e.className} ${e.dataset.id}` : e.matches("h1, h2, summary") ? e.textContent : ""),
  place() {
    const top = live.anchors().find((e) => e.getBoundingClientRect().bottom > 0);
    const open = [...document.querySelectorAll("details[open]")].map((e) => live.nameOf(e.closest(".fresh") || e));
    return { y: scrollY, top: scrollY > 0 && top && live.nameOf(top), at: top && top.getBoundingClientRect().top,
      focus: live.nameOf(document.activeElement.closest(".tile") || document.activeElement), open };
  },
  restore(place) {
    for (const e of document.querySelectorAll("details")) e.open = place.open.includes(live.nameOf(e.closest(".fresh") || e));
    const tile = [...document.querySelectorAll(".tile")].find((e) => live.nameOf(e) === place.focus);
    (tile ? tile.firstElementChild : document.getElementById(place.focus))?.focus({ preventScroll: true });
    const top = place.top && live.anchors().find((e) => live.nameOf(e) === place.top);
    scrollTo(scrollX, top ? scrollY + top.getBoundingClientRect().top - place.at : place.y);
  },
  // Nobody is interrupted who types, chooses or marks text, and who may read what he marked, for a while.
  touched: 0,
  isBusy: () => document.hidden || (Date.now() - live.touched < 10000 &&
    (document.activeElement.matches("#search, select") || String(getSelection()) !== "")),
  reload() {
    if (live.isBusy()) return;
    history.replaceState({ place: live.place() }, "");
    location.reload();
  },
  start(main) {
    history.scrollRestoration = "manual";
    const place = history.state?.place;
    if (place) { live.restore(place); requestAnimationFrame(() => live.restore(place)); }
    if (!main.dataset.live) { history.scrollRestoration = "auto"; history.replaceState(null, ""); return; }
    for (const name of ["keydown", "pointerdown", "selectionchange"]) document.addEventListener(name, () => { live.touched = Date.now(); });
    setInterval(live.reload, Number(main.dataset.live));
    document.getElementById("stale").hidden = Date.now() / 1000 - main.dataset.written < 120;
  },
};
addEventListener("load", () => {
  const main = document.getElementById("main");
  if (main && (main.dataset.live || history.state?.place)) live.start(main);
});

addEventListener("DOMContentLoaded", () => {
  const byId = (id) => document.getElementById(id);
  const button = byId("theme");
  const nameButton = () => { button.textContent = theme.isDark ? "Light" : "Dark"; };
  button.addEventListener("click", () => { theme.choose(theme.isDark ? "light" : "dark"); nameButton(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", nameButton);
  nameButton();

  // ---- Keys: arrows go to the task before and after, and from tile to tile; / to the search ----
  const search = byId("search");
  const tileList = document.querySelector(".tiles");
  const neighbour = (link, key) => {
    const links = [...tileList.querySelectorAll(".tile:not([hidden]) a")];
    const at = links.indexOf(link);
    if (key === "ArrowLeft" || key === "ArrowRight") return links[at + (key === "ArrowRight" ? 1 : -1)];
    const tops = links.map((a) => a.getBoundingClientRect().top);
    let columns = 1;
    while (columns < links.length && tops[columns] === tops[0]) columns++;
    return links[at + (key === "ArrowDown" ? columns : -columns)];
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA|PRE)$/.test(event.target.tagName)) return;
    const way = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    const link = way && document.querySelector(`a[rel=${way}]`);
    if (link) link.click();
    else if (tileList && event.key.startsWith("Arrow") && event.target.closest(".tile")) {
      const to = neighbour(event.target, event.key);
      if (!to) return;
      event.preventDefault();
      to.focus();
    } else if (search && event.key === "/") {
      event.preventDefault();
      search.focus();
    }
  });

  // ---- The wall: what is chosen stands in the address ----
  if (!tileList) return;
  const form = document.querySelector(".filters");
  const tiles = [...tileList.children];
  const kinds = [...form.elements.status].map((radio) => radio.value).slice(1);
  const away = (tile, kind) => Math.abs(kinds.indexOf(tile.dataset.status) - kinds.indexOf(kind));
  const orders = { id: (a, b) => (a.dataset.id < b.dataset.id ? -1 : 1) };
  for (const kind of kinds) orders[kind] = (a, b) => away(a, kind) - away(b, kind);
  let sorted = "";

  const show = () => {
    const want = Object.fromEntries(new FormData(form));
    const text = want.find.trim().toLowerCase();
    let shown = 0;
    for (const tile of tiles) {
      tile.hidden = (want.status && tile.dataset.status !== want.status) ||
        (want.source && tile.dataset.source !== want.source) || !tile.dataset.id.toLowerCase().includes(text);
      shown += !tile.hidden;
    }
    if (want.sort !== sorted) {
      sorted = want.sort;
      tileList.append(...(orders[sorted] ? [...tiles].sort(orders[sorted]) : tiles));
    }
    byId("shown").textContent = `${shown} of ${tiles.length} shown`;
    byId("none").hidden = shown > 0;
  };
  const keep = () => {
    const given = [...new FormData(form)].filter(([, value]) => value);
    history.replaceState(null, "", given.length ? `#${new URLSearchParams(given)}` : location.pathname);
  };
  const restore = () => {
    if (location.hash && !location.hash.includes("=")) return show(); // a link to a part of the page
    const given = new URLSearchParams(location.hash.slice(1));
    for (const radio of form.elements.status) radio.checked = radio.value === (given.get("status") || "");
    if (!form.elements.status.value) byId("filter-all").checked = true;
    for (const name of ["find", "source", "sort"]) if (form.elements[name]) form.elements[name].value = given.get(name) || "";
    for (const select of form.querySelectorAll("select")) if (select.selectedIndex < 0) select.selectedIndex = 0;
    show();
  };
  // A tile that leads to a part of this page leaves the address, where the filters stand, as it is.
  tileList.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, "", location.href);
    byId(link.hash.slice(1)).focus();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => { show(); keep(); });
  addEventListener("hashchange", restore);
  restore();
});
