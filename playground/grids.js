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
  // Whether it is what it says; one that a browser kept may be anything.
  isWhole: (g) => [g.h, g.w].every((n) => Number.isInteger(n) && n > 0) && typeof g.cells === "string" && g.cells.length === g.h * g.w,
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

// A pixel for each cell, in a canvas that all grids share.
const pixels = document.createElement("canvas");
const toWord = (css) => 0xFF000000 | parseInt(css.slice(5, 7) + css.slice(3, 5) + css.slice(1, 3), 16); // as memory has it
const WORDS = COLORS.map(toWord), NO_WORD = toWord(NO_COLOR);
function drawPixels(g) {
  [pixels.width, pixels.height] = [g.w, g.h];
  const pen = pixels.getContext("2d"), image = pen.createImageData(g.w, g.h), words = new Uint32Array(image.data.buffer);
  for (let k = 0; k < words.length; k++) words[k] = WORDS[g.cells[k]] ?? NO_WORD;
  pen.putImageData(image, 0, 0);
}

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
  drawPixels(g);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(pixels, 0, 0, g.w * cell, g.h * cell);
  for (let i = 0; gap && i <= g.h; i++) pen.fillRect(0, i * cell, canvas.width, gap);
  for (let j = 0; gap && j <= g.w; j++) pen.fillRect(j * cell, 0, gap, canvas.height);
  const side = Math.max(2, Math.round(cell * MARK));
  for (let k = 0; marked && k < g.h * g.w; k++) {
    if (marked.cells[k] === g.cells[k]) continue;
    const x = (k % g.w) * cell, y = Math.floor(k / g.w) * cell;
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
