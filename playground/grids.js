// Grids: as the engine gives them, {h, w, cells}, a letter for each cell; drawn on a canvas; as rows for JSON. They are
// never changed, so that what was is still there to come back to.
const COLORS = ["#000000", "#0074D9", "#FF4136", "#2ECC40", "#FFDC00", "#AAAAAA", "#F012BE", "#FF851B", "#7FDBFF", "#870C25"];
const COLOR_NAMES = ["black", "blue", "red", "green", "yellow", "grey", "pink", "orange", "light blue", "maroon"];
const LINE = "#555555", NO_COLOR = "#333333";
const MOST_SIDE = 30; // of a grid that is made here
const MOST_CELL = 22; // pixels
const MARK = 0.34; // of a cell, for one that is wrong

const grids = {
  plain: (h, w, color = 0) => ({ h, w, cells: String(color).repeat(h * w) }),
  same: (a, b) => a === b || (!!a && !!b && a.h === b.h && a.w === b.w && a.cells === b.cells),
  rows: (g) => Array.from({ length: g.h }, (_, i) => Array.from(g.cells.slice(i * g.w, (i + 1) * g.w), Number)),
  at: (g, i, j) => g.cells[i * g.w + j],
  with(g, i, j, color) {
    const k = i * g.w + j;
    return { ...g, cells: g.cells.slice(0, k) + color + g.cells.slice(k + 1) };
  },
  // The cells of one colour that hang together with this one.
  fill(g, i, j, color) {
    const from = grids.at(g, i, j), cells = [...g.cells], left = [[i, j]];
    if (from === String(color)) return g;
    while (left.length) {
      const [a, b] = left.pop();
      if (a < 0 || b < 0 || a >= g.h || b >= g.w || cells[a * g.w + b] !== from) continue;
      cells[a * g.w + b] = String(color);
      left.push([a - 1, b], [a + 1, b], [a, b - 1], [a, b + 1]);
    }
    return { ...g, cells: cells.join("") };
  },
  resize(g, h, w) {
    const cell = (i, j) => (i < g.h && j < g.w ? grids.at(g, i, j) : "0");
    return { h, w, cells: Array.from({ length: h * w }, (_, k) => cell(Math.floor(k / w), k % w)).join("") };
  },
  size: (g) => `${g.h} × ${g.w}`,
};

// The size of a cell in pixels: a grid takes no more than `most`.
const cellSize = (g, most) => Math.max(3, Math.min(MOST_CELL, Math.floor(most / Math.max(g.h, g.w, 1))));

// Draws a grid; cells that are not as wanted get a mark, the one under the cursor a frame. What is drawn already is not
// drawn again.
function drawGrid(canvas, g, { most = 240, wanted = null, cursor = null } = {}) {
  const marked = wanted && wanted.h === g.h && wanted.w === g.w ? wanted : null;
  const scale = Math.min(2, Math.ceil(devicePixelRatio || 1)), cell = cellSize(g, most) * scale;
  const key = [g.h, g.w, cell, g.cells, marked?.cells, cursor].join();
  if (canvas.drawn === key) return;
  canvas.drawn = key;
  canvas.width = g.w * cell + 1;
  canvas.height = g.h * cell + 1;
  canvas.style.width = `${canvas.width / scale}px`;
  const pen = canvas.getContext("2d"), gap = cell > 4 ? 1 : 0;
  pen.fillStyle = gap ? LINE : NO_COLOR;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  for (let k = 0; k < g.h * g.w; k++) {
    const x = (k % g.w) * cell, y = Math.floor(k / g.w) * cell;
    pen.fillStyle = COLORS[g.cells[k]] ?? NO_COLOR;
    pen.fillRect(x + gap, y + gap, cell - gap, cell - gap);
    if (!marked || marked.cells[k] === g.cells[k]) continue;
    const side = Math.max(2, Math.round(cell * MARK));
    pen.fillStyle = "#FFFFFF";
    pen.fillRect(x + 1, y + 1, side + 1, side + 1);
    pen.fillStyle = "#B3261E";
    pen.fillRect(x + 1, y + 1, side, side);
  }
  if (!cursor) return;
  pen.strokeStyle = "#FFFFFF";
  pen.lineWidth = 2 * scale;
  pen.strokeRect(cursor[1] * cell + scale, cursor[0] * cell + scale, cell - scale, cell - scale);
}

// An element with attributes and children. Texts of strangers come here, as text.
function make(tag, given = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

function gridCanvas(g, label, options) {
  const canvas = make("canvas", { class: "cells", role: "img", "aria-label": `${label}, ${g.h} by ${g.w} cells` });
  drawGrid(canvas, g, options);
  return canvas;
}
