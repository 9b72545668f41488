// Painting: the grids of the task that is looked at, cell by cell, with the pointer or with keys. A grid is named by its
// sample and side; what is painted goes through `put`, which makes a new state of it.
function makePainter(byId, { grid, put, redraw, say }) {
  let isOn = false, color = 1, floods = false, picked = null, cursor = [0, 0], kept = null, strokes = 0;

  const tools = ["rows", "columns", "copy", "put", "empty"].map(byId);
  const pickedGrid = () => picked && grid(picked.sample, picked.side);
  const isPicked = (sample, side) => isOn && picked?.sample === sample && picked?.side === side;

  const showTools = () => {
    const g = pickedGrid();
    tools.forEach((tool) => { tool.disabled = !g; });
    byId("put").disabled = !g || !kept;
    byId("rows").value = g?.h ?? "";
    byId("columns").value = g?.w ?? "";
  };
  // The grid may be another one by now, and smaller.
  const refresh = () => {
    const g = pickedGrid();
    if (g) cursor = [Math.min(cursor[0], g.h - 1), Math.min(cursor[1], g.w - 1)];
    else picked = null;
    showTools();
  };
  const tellCell = () => {
    const g = pickedGrid();
    if (g) byId("cell").textContent = `row ${cursor[0] + 1}, column ${cursor[1] + 1}: ${COLOR_NAMES[grids.at(g, ...cursor)]}`;
  };
  const pick = (sample, side, i = 0, j = 0) => {
    picked = { sample, side };
    cursor = [i, j];
    refresh();
    tellCell();
    redraw();
  };
  // What has the same stroke is one step back.
  const dab = (stroke) => {
    const g = pickedGrid();
    put(picked.sample, picked.side, floods ? grids.fill(g, ...cursor, color) : grids.with(g, ...cursor, color), `stroke ${stroke}`, true);
    tellCell();
  };
  const choose = (to) => {
    color = to;
    byId(`color-${to}`).checked = true;
  };
  const flood = (on) => {
    floods = on;
    byId("flood").setAttribute("aria-pressed", on);
  };

  // ---- The pointer ----
  const cellAt = (canvas, g, event) => {
    const box = canvas.getBoundingClientRect(), clip = (x, most) => Math.max(0, Math.min(most - 1, Math.floor(x)));
    return [clip((event.clientY - box.top) / box.height * g.h, g.h), clip((event.clientX - box.left) / box.width * g.w, g.w)];
  };
  const down = (event, sample, side) => {
    if (!isOn || event.button !== 0) return;
    const at = cellAt(event.target, grid(sample, side), event); // before anything moves
    event.preventDefault();
    event.target.focus({ preventScroll: true });
    pick(sample, side, ...at);
    const stroke = ++strokes;
    dab(stroke);
    if (floods) return;
    event.target.setPointerCapture?.(event.pointerId);
    const drag = (next) => {
      if (!isPicked(sample, side) || !pickedGrid()) return; // a key has led elsewhere meanwhile
      const at = cellAt(event.target, pickedGrid(), next);
      if (at.join() === cursor.join()) return;
      cursor = at;
      dab(stroke);
    };
    const over = () => {
      event.target.removeEventListener("pointermove", drag);
      for (const name of ["pointerup", "pointercancel"]) event.target.removeEventListener(name, over);
    };
    event.target.addEventListener("pointermove", drag);
    for (const name of ["pointerup", "pointercancel"]) event.target.addEventListener(name, over);
  };

  // ---- Keys ----
  const keep = () => { kept = pickedGrid(); showTools(); say(`a grid of ${grids.size(kept)} is kept`); };
  const putKept = () => { if (kept) { put(picked.sample, picked.side, kept, "put"); pick(picked.sample, picked.side); } };
  const pressed = (event, sample, side) => {
    if (!isOn || event.altKey) return;
    const g = grid(sample, side), step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!isPicked(sample, side)) pick(sample, side);
    if (event.ctrlKey || event.metaKey) {
      if (event.key === "c") keep();
      else if (event.key === "v") putKept();
      else return;
    } else if (step) {
      cursor = [Math.max(0, Math.min(g.h - 1, cursor[0] + step[0])), Math.max(0, Math.min(g.w - 1, cursor[1] + step[1]))];
      tellCell();
      redraw();
    } else if (/^[0-9]$/.test(event.key)) {
      choose(Number(event.key));
      dab(++strokes);
    } else if (event.key === " " || event.key === "Enter") dab(++strokes);
    else if (event.key === "f" || event.key === "F") flood(!floods);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const resize = () => {
    const g = pickedGrid(); // one that came larger may stay so
    const side = (id, now) => Math.max(1, Math.min(Math.max(MOST_SIDE, now), Math.round(Number(byId(id).value)) || 1));
    put(picked.sample, picked.side, grids.resize(g, side("rows", g.h), side("columns", g.w)), "resize");
    pick(picked.sample, picked.side);
  };

  // ---- The tools ----
  byId("palette").append(...COLORS.flatMap((css, k) => {
    const label = make("label", { for: `color-${k}`, title: `${COLOR_NAMES[k]}, ${k}` }, make("span", { class: "unseen" }, COLOR_NAMES[k]));
    label.style.background = css;
    return [make("input", { type: "radio", name: "color", id: `color-${k}`, onchange: () => choose(k) }), label];
  }));
  choose(1);
  byId("flood").addEventListener("click", () => flood(!floods));
  byId("rows").addEventListener("change", resize);
  byId("columns").addEventListener("change", resize);
  byId("copy").addEventListener("click", keep);
  byId("put").addEventListener("click", putKept);
  byId("empty").addEventListener("click", () => {
    const g = pickedGrid();
    put(picked.sample, picked.side, grids.plain(g.h, g.w), "empty");
  });
  byId("paint").addEventListener("click", () => {
    isOn = !isOn;
    picked = null;
    byId("paint").setAttribute("aria-pressed", isOn);
    document.body.classList.toggle("paints", isOn);
    document.querySelectorAll(".painting").forEach((e) => { e.hidden = !isOn; });
    showTools();
    redraw();
  });

  return {
    get isOn() { return isOn; },
    turnOn() { if (!isOn) byId("paint").click(); },
    cursor: (sample, side) => (isPicked(sample, side) ? cursor : null),
    refresh,
    // What makes a canvas one that can be painted.
    attach(canvas, sample, side) {
      canvas.addEventListener("pointerdown", (event) => down(event, sample, side));
      canvas.addEventListener("keydown", (event) => pressed(event, sample, side));
      canvas.addEventListener("focus", () => { if (isOn && !isPicked(sample, side)) pick(sample, side); });
    },
  };
}
