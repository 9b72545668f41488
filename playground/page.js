// The page: what is looked at, what is written for it, what the engine says of both. All of it that a reload or a step
// back has to bring again is the state, which is never changed but replaced.
//
// What comes from outside (open.js, and what a browser kept) is read by the engine first, and is shown as text.
const KEPT = "tessera-playground"; // in the browser's store
const MOST_KEPT = 2e6; // letters
const MOST_STEPS = 500; // back
const MOST_WAIT = 20000; // milliseconds for what is written; the engine's units end a program long before
const PAUSE = 700; // milliseconds: keys with less between them are one step back
const SLOW = 300; // milliseconds until what is shown is pale, since it may not hold any more
const BEGINNING = "def solve(I):\n    O = identity(I)\n    return O\n";

const byId = (id) => document.getElementById(id);
const say = (text, isBad = false) => {
  byId("said").textContent = text;
  byId("said").classList.toggle("bad", isBad);
};
const refuse = (text) => { say(text, true); return false; };

// ---- Light and dark, as in the report ----

const systemTheme = matchMedia("(prefers-color-scheme: dark)");
const storeOf = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
const store = (name, text) => { try { localStorage.setItem(name, text); return true; } catch { return false; } };
const isDark = () => (document.documentElement.dataset.theme ?? (systemTheme.matches ? "dark" : "light")) === "dark";
const nameTheme = () => { byId("theme").textContent = isDark() ? "Light" : "Dark"; };
if (["light", "dark"].includes(storeOf("tessera-theme"))) document.documentElement.dataset.theme = storeOf("tessera-theme");
byId("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  store("tessera-theme", document.documentElement.dataset.theme);
  nameTheme();
});
systemTheme.addEventListener("change", nameTheme);
nameTheme();

// ---- The state ----

let state = { tasks: [], at: 0, programs: new Map(), sample: 0 };
let steps = [], ahead = [], lastKind = "", lastTime = 0, saving = 0, isForgetful = false;

const taskNow = () => state.tasks[state.at];
const samplesOf = (task) => [...task.train, ...task.test];
const programNow = () => state.programs.get(taskNow().id) ?? BEGINNING;
const sampleName = (task, k) => (k < task.train.length ? `demo ${k + 1}` : `test ${k - task.train.length + 1}`);

// What the engine, files and links have: rows of numbers.
const plainTask = (task) => {
  const sample = (s) => ({ input: grids.rows(s.input), ...(s.output ? { output: grids.rows(s.output) } : {}) });
  return { train: task.train.map(sample), test: task.test.map(sample) };
};

// All tasks, or the one that is looked at where there is no room for more.
function save() {
  clearTimeout(saving);
  saving = 0;
  if (!state.tasks.length) return;
  const { tasks, at, programs, sample } = state, task = taskNow(), given = byId("given").textContent;
  const keep = (kept, most) => {
    const text = JSON.stringify({ ...kept, sample, given });
    return text.length <= most && store(KEPT, text);
  };
  const cells = tasks.reduce((sum, t) => samplesOf(t).reduce((all, s) => all + s.input.cells.length + (s.output?.cells.length ?? 0), sum), 0);
  const isKept = (cells <= MOST_KEPT && keep({ tasks, at, programs: [...programs] }, MOST_KEPT)) ||
    keep({ tasks: [task], at: 0, programs: [[task.id, programNow()]] }, Infinity);
  if (!isKept && !isForgetful) say("the browser does not keep what you do here: a reload will lose it", true);
  isForgetful = !isKept;
}

function show() {
  byId("undo").disabled = !steps.length;
  byId("redo").disabled = !ahead.length;
  showTasks();
  painter.refresh();
  if (!isOf(answered, taskNow())) showAnswer({}); // nothing is known of it yet
  showSamples();
  byId("found").hidden = searched !== taskNow().id;
  editor.set(programNow());
  write();
  saving ||= setTimeout(save, 300);
}

// A step. It belongs to the one before where that is of the same kind and not longer ago than `pause`.
function change(next, kind, pause = 0) {
  if (!(kind === lastKind && performance.now() - lastTime < pause)) steps = [...steps.slice(1 - MOST_STEPS), state];
  [lastKind, lastTime, ahead] = [kind, performance.now(), []];
  state = { ...state, ...next };
  show();
}
function goBack() {
  if (!steps.length) return;
  ahead = [...ahead, state];
  state = steps[steps.length - 1];
  steps = steps.slice(0, -1);
  lastKind = "";
  show();
}
function goAhead() {
  if (!ahead.length) return;
  steps = [...steps, state];
  state = ahead[ahead.length - 1];
  ahead = ahead.slice(0, -1);
  lastKind = "";
  show();
}

function setProgram(text, kind, pause) {
  change({ programs: new Map(state.programs).set(taskNow().id, text) }, kind, pause);
}
function setTask(task, kind, pause) {
  const sample = Math.min(state.sample, samplesOf(task).length - 1);
  change({ tasks: state.tasks.map((t, k) => (k === state.at ? task : t)), sample }, kind, pause);
}
function setSample(k, sample, kind, pause) {
  const task = taskNow(), n = task.train.length;
  const replace = (list, at) => list.map((s, m) => (m === at ? sample : s));
  setTask(k < n ? { ...task, train: replace(task.train, k) } : { ...task, test: replace(task.test, k - n) }, kind, pause);
}

// ---- Tasks ----

let listed = null;

function showTasks() {
  const list = byId("tasks");
  const key = state.tasks.map((t) => t.id).join("\n");
  if (key !== listed) list.replaceChildren(...state.tasks.map((t, k) => make("option", { value: k }, t.id)));
  listed = key;
  list.value = state.at;
  byId("task-title").textContent = taskNow().id;
  byId("before").disabled = state.at === 0;
  byId("after").disabled = state.at === state.tasks.length - 1;
}

const goTo = (at) => { if (at >= 0 && at < state.tasks.length) change({ at, sample: 0 }, "task"); };

function freshTask() {
  let number = 1;
  while (state.tasks.some((t) => t.id === `new_${number}`) || state.programs.has(`new_${number}`)) number++;
  const grid = grids.plain(5, 5);
  const task = { id: `new_${number}`, train: [{ input: grid, output: grid }], test: [{ input: grid }] };
  change({ tasks: [...state.tasks, task], at: state.tasks.length, sample: 0 }, "new");
  painter.turnOn();
}

function saveTask() {
  const task = taskNow(), address = URL.createObjectURL(new Blob([`${JSON.stringify(plainTask(task))}\n`], { type: "application/json" }));
  make("a", { href: address, download: `${task.id.replace(/[^\w-]/g, "_").slice(0, 60) || "task"}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// ---- Samples ----

let cards = [], cardsFor = "", results = null;
let answered = null; // the task that the results are of

// Whether that is this task, be it with other cells.
const isOf = (known, task) => known?.id === task.id && known.train.length === task.train.length && known.test.length === task.test.length;

// Input, output and what the program gives stand beside each other; on a phone two of them.
const mostWidth = () => {
  const room = byId("samples").clientWidth;
  return room < 480 ? Math.min(130, (room - 76) / 2) : Math.min(240, (room - 130) / 3);
};

function makeFigure(k, side) {
  const isOwn = side !== "gives", isPainted = isOwn && painter.isOn; // keys paint it, so that a screen reader has to pass them on
  const canvas = make("canvas", { class: `cells ${isOwn ? "own" : ""}`, role: isPainted ? "application" : "img", tabindex: isPainted ? 0 : null });
  const nothing = make("p", { class: "nothing", role: "img" }, "?"), caption = make("figcaption");
  if (isOwn) painter.attach(canvas, k, side);
  return { canvas, nothing, caption, root: make("figure", { "data-side": side }, canvas, nothing, caption) };
}

function makeCard(task, k) {
  const name = sampleName(task, k), isTest = k >= task.train.length;
  const radio = make("input", { type: "radio", name: "sample", id: `sample-${k}`, onchange: () => change({ sample: k }, "sample") });
  const mark = make("span", { class: "mark" });
  const figures = Object.fromEntries(["input", "output", "gives"].map((side) => [side, makeFigure(k, side)]));
  const button = (text, action) => make("button", { type: "button", class: "painting", hidden: !painter.isOn, "aria-label": `${text}, ${name}`, onclick: action }, text);
  const sample = () => samplesOf(taskNow())[k];
  const root = make("div", { class: `sample${isTest ? " test" : ""}`, "data-sample": k },
    make("h2", {}, radio, make("label", { for: `sample-${k}` }, name), mark,
      button("Output from input", () => setSample(k, { ...sample(), output: sample().input }, "copy")),
      isTest ? button("No output", () => setSample(k, { input: sample().input }, "copy")) : null,
      button("Remove", () => removeSample(k))),
    make("div", { class: "pair" }, figures.input.root, make("span", { class: "arrow", "aria-hidden": "true" }, "→"), figures.output.root, figures.gives.root));
  return { root, radio, mark, figures };
}

function removeSample(k) {
  const task = taskNow(), n = task.train.length, list = k < n ? "train" : "test", at = k < n ? k : k - n;
  if (task[list].length < 2) return say(`a task has one ${k < n ? "demo" : "test"} at least`, true);
  setTask({ ...task, [list]: task[list].filter((_, m) => m !== at) }, "remove");
}

function showFigure(figure, g, label, { most, wanted = null, cursor = null }) {
  figure.canvas.hidden = !g;
  figure.nothing.hidden = !!g;
  figure.nothing.setAttribute("aria-label", `${label}, not known`);
  figure.canvas.setAttribute("aria-label", g ? `${label}, ${g.h} by ${g.w} cells` : label);
  if (!g) return;
  drawGrid(figure.canvas, g, { most, wanted, cursor });
}

function showResult(card, sample, result, name, most) {
  const { gives } = card.figures;
  gives.root.hidden = !result;
  card.mark.textContent = "";
  card.mark.className = "mark";
  if (!result) return;
  const isRight = result.right === true;
  showFigure(gives, result.grid, `${name}, what the program gives`, { most, wanted: sample.output });
  gives.caption.textContent = result.grid ? `gives ${grids.size(result.grid)}` : "gives no grid";
  card.mark.classList.add(isRight ? "yes" : result.known || result.failure ? "no" : "soft");
  if (result.failure) card.mark.textContent = `✗ fails: ${result.failure}`;
  else if (isRight) card.mark.textContent = "✓ right";
  else if (result.known && sample.output) card.mark.textContent = result.off > 0 ? `✗ ${result.off} of ${sample.output.h * sample.output.w} cells off` : "✗ wrong";
}

function showSamples() {
  const task = taskNow(), samples = samplesOf(task);
  const key = [state.at, task.id, task.train.length, task.test.length, painter.isOn].join();
  if (key !== cardsFor) {
    cards = samples.map((_, k) => makeCard(task, k));
    byId("samples").replaceChildren(...cards.map((card) => card.root));
  }
  cardsFor = key;
  const most = mostWidth();
  cards.forEach((card, k) => {
    const sample = samples[k], name = sampleName(task, k);
    card.radio.checked = k === state.sample;
    card.root.classList.toggle("chosen", k === state.sample);
    for (const side of ["input", "output"]) {
      showFigure(card.figures[side], sample[side], `${name} ${side}`, { most, cursor: painter.cursor(k, side) });
      card.figures[side].caption.textContent = sample[side] ? `${side} ${grids.size(sample[side])}` : side;
    }
    showResult(card, sample, results?.[k], name, most);
  });
  byId("chosen").textContent = sampleName(task, state.sample);
}

// ---- Writing ----

// One question is under way at a time; behind it the newest waits.
let asked = "", isAsking = false, toldTask = null, toldWorker = null, wrote = 0, trouble = "";

async function write() {
  const key = JSON.stringify([state.at, state.sample, programNow()]);
  if (isAsking || (key === asked && toldTask === taskNow())) return;
  isAsking = true;
  const task = taskNow(), began = performance.now();
  asked = key;
  const isNew = toldTask !== task || !writing.worker || toldWorker !== writing.worker; // a new worker knows nothing
  toldTask = task;
  const clock = setTimeout(() => document.body.classList.add("waits"), SLOW);
  let told = isNew ? await writing.call("task", [JSON.stringify(plainTask(task))], MOST_WAIT) : {};
  toldWorker = writing.worker;
  if (!told.error) told = await writing.call("write", [programNow(), state.sample], MOST_WAIT);
  isAsking = false;
  clearTimeout(clock);
  document.body.classList.remove("waits");
  wrote = performance.now() - began;
  if (task === taskNow() && key === JSON.stringify([state.at, state.sample, programNow()])) showWritten(told);
  else write();
}

function showWritten(told) {
  if (told.error) {
    toldTask = null;
    say(told.error.message, true);
  } else if (trouble && byId("said").textContent === trouble) say(""); // it is over
  trouble = told.error?.message ?? "";
  answered = taskNow();
  showAnswer(told);
  showSamples();
  document.body.dataset.ms = wrote.toFixed(1);
}

function showAnswer(told) {
  results = told.samples ?? null;
  editor.blame(told.problems ?? []);
  const known = (results ?? []).slice(0, taskNow().train.length), right = known.filter((r) => r.right).length;
  const score = results ? `${right} of ${known.length} demos right` : "";
  if (byId("score").textContent !== score) byId("score").textContent = score; // it is read out when it changes
  byId("words").textContent = told.words ?? "";
  byId("fault").textContent = told.fault ? `On ${sampleName(taskNow(), state.sample)} it ${told.fault.message}.` : "";
  showLines(told.lines ?? []);
}

let drawnLines = new Map();

function makeLine(line, shown, most) {
  const item = make("li", { "data-line": line.source, onclick: () => editor.go(line.source) }, make("code", {}, shown));
  if (line.failure) item.append(make("p", { class: "bad" }, `fails: ${line.failure}`));
  else item.append(make("p", { class: "soft" }, line.pictures ? line.is : `${line.is}: ${line.value}`));
  if (line.pictures) {
    item.append(make("div", { class: "pictures" }, ...line.pictures.map((g, k) => make("figure", {},
      gridCanvas(g, `line ${line.source}, ${line.titles?.[k] ?? line.is}`, { most }),
      line.titles ? make("figcaption", {}, line.titles[k]) : null))));
  }
  return item;
}

// A line that is as it was is not drawn again.
function showLines(lines) {
  const texts = programNow().split("\n"), most = Math.min(200, mostWidth()), drawn = new Map(), count = new Map();
  for (const { source } of lines) count.set(source, (count.get(source) ?? 0) + 1);
  for (const line of lines) {
    const shown = count.get(line.source) === 1 ? texts[line.source - 1]?.trim() ?? line.text : line.text;
    const key = JSON.stringify([line, shown, most]);
    drawn.set(key, drawnLines.get(key) ?? makeLine(line, shown, most));
  }
  drawnLines = drawn;
  const items = [...drawn.values()], list = byId("lines");
  if (items.length !== list.children.length || items.some((item, k) => item !== list.children[k])) list.replaceChildren(...items);
  markLine(editor.line());
}
const markLine = (line) => { for (const item of byId("lines").children) item.classList.toggle("here", Number(item.dataset.line) === line); };

// ---- Searching ----

let candidates = new Map(), searched = null; // for the task of this id

function showFound(told) {
  const list = byId("found");
  const items = told.found.map((found) => {
    const old = candidates.get(found.number);
    if (old) old.querySelector(".sure").textContent = `${Math.round(found.confidence * 100)} % sure`;
    const item = old ?? make("li", { "data-number": found.number },
      make("div", { class: "head" },
        make("b", {}, found.engine), make("span", { class: "sure" }, `${Math.round(found.confidence * 100)} % sure`),
        make("span", { class: found.right === found.demos ? "yes" : "soft" }, `${found.right} of ${found.demos} demos right`),
        make("button", { type: "button", class: "take", onclick: () => take(found) }, "Take over")),
      make("p", {}, found.words ?? ""),
      found.answer ? gridCanvas(found.answer, "its answer to test 1", { most: 130 }) : null,
      make("details", {}, make("summary", {}, `program, ${found.lines} line${found.lines === 1 ? "" : "s"}`), make("pre", { tabindex: 0 }, found.program)));
    candidates.set(found.number, item);
    return item;
  });
  if (items.length !== list.children.length || items.some((item, k) => item !== list.children[k])) list.replaceChildren(...items);
}

function take(found) {
  setProgram(found.program, "take");
  say(`the program of ${found.engine} is in the editor`);
}

function stopSearch(words = "") {
  searching.end();
  byId("search").disabled = false;
  byId("stop").disabled = true;
  byId("progress").setAttribute("aria-busy", false); // only how it ends is read out
  byId("progress").textContent = words;
}

function search() {
  const seconds = Number(byId("seconds").value), task = taskNow(), began = performance.now();
  stopSearch("looking through the programs that are known …");
  candidates = new Map();
  searched = task.id;
  byId("found").replaceChildren();
  byId("found").hidden = false;
  byId("progress").setAttribute("aria-busy", true);
  byId("search").disabled = true;
  byId("stop").disabled = false;
  searching.ask("search", [JSON.stringify(plainTask(task)), seconds], (told) => {
    if (told === ENDED) return;
    if (told.error) return stopSearch(told.error.message);
    showFound(told);
    const spent = ((performance.now() - began) / 1000).toFixed(1), count = `${told.count} candidate${told.count === 1 ? "" : "s"} for ${searched}`;
    if (told.over) stopSearch(`${count} in ${spent} s`);
    else byId("progress").textContent = `${count} so far, ${told.engine}, ${spent} s`;
  });
}

// ---- What happens to the page ----

const editor = makeEditor(byId, { changed: (text) => setProgram(text, "type", PAUSE), moved: markLine });
const painter = makePainter(byId, {
  grid: (k, side) => samplesOf(taskNow())[k]?.[side],
  put: (k, side, g, kind, isStroke) => {
    const sample = samplesOf(taskNow())[k];
    if (!grids.same(sample[side], g)) setSample(k, { ...sample, [side]: g }, kind, isStroke ? Infinity : 0);
  },
  redraw: () => { if (state.tasks.length) showSamples(); },
  say,
});

const showPasting = (on) => {
  byId("pasting").hidden = !on;
  byId("paste").setAttribute("aria-expanded", on);
  byId(on ? "pasted" : "paste").focus();
};
const actions = {
  undo: goBack, redo: goAhead, fresh: freshTask, save: saveTask, share, search,
  before: () => goTo(state.at - 1),
  after: () => goTo(state.at + 1),
  open: () => byId("files").click(),
  stop: () => stopSearch("stopped"),
  bundled: async () => {
    const tasks = await readTasks("", "bundled", "");
    if (tasks) openTasks(tasks);
  },
  "add-demo": () => setTask({ ...taskNow(), train: [...taskNow().train, { input: grids.plain(5, 5), output: grids.plain(5, 5) }] }, "add"),
  "add-test": () => setTask({ ...taskNow(), test: [...taskNow().test, { input: grids.plain(5, 5) }] }, "add"),
  paste: () => showPasting(byId("pasting").hidden),
};
for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
byId("tasks").addEventListener("change", () => goTo(Number(byId("tasks").value)));
byId("files").addEventListener("change", () => {
  openFiles([...byId("files").files]);
  byId("files").value = ""; // else the same file, changed meanwhile, could not be opened again
});
byId("pasting").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!await read(byId("pasted").value, "pasted")) return;
  byId("pasted").value = "";
  showPasting(false);
});
addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
addEventListener("dragleave", () => document.body.classList.remove("dropping"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  if (byId("all").inert) return; // there is no engine to read it
  const files = [...event.dataTransfer.files], text = event.dataTransfer.getData("text");
  if (files.length) openFiles(files);
  else if (text) read(text, "dropped");
});
addEventListener("paste", (event) => {
  const text = event.clipboardData.getData("text");
  if (byId("all").inert || !text.trim() || event.target.closest?.("input, textarea")) return;
  event.preventDefault();
  read(text, "pasted");
});
addEventListener("keydown", (event) => {
  if (byId("all").inert) return;
  const key = event.key.toLowerCase(), isControl = event.ctrlKey || event.metaKey;
  const isOther = event.target.closest?.("#pasted, #address, input[type=number]"); // fields with steps of their own
  const action = isControl && key === "enter" ? search
    : isControl && !isOther && (key === "y" || (key === "z" && event.shiftKey)) ? goAhead
      : isControl && !isOther && key === "z" ? goBack
        : !isControl && !event.altKey && !event.target.closest?.("input, select, textarea, canvas, pre") ? { arrowleft: actions.before, arrowright: actions.after }[key] : null;
  if (!action || (action === search && byId("search").disabled)) return;
  event.preventDefault();
  action();
});
addEventListener("resize", () => { if (state.tasks.length) showSamples(); });
addEventListener("pagehide", save);
addEventListener("hashchange", () => { if (!byId("all").inert) openAddress(); });

// ---- The start ----

async function openAddress() {
  const link = /^#([pj])=(.*)$/s.exec(location.hash);
  if (!link) return false;
  history.replaceState(null, "", location.href.split("#")[0]); // else a reload would undo what was done since
  if (link[2].length > MOST_LINK) return refuse("the link is too long");
  return openLink(link[1], link[2]);
}

// What the browser kept, as far as it is what was put there; gives what the page had been written with that kept it.
async function openKept() {
  const kept = JSON.parse(storeOf(KEPT));
  if (!kept?.tasks.every((t) => samplesOf(t).every((s) => grids.isWhole(s.input) && (!s.output || grids.isWhole(s.output))))) return null;
  // Written by hand: an object of the language has its keys in another order, where they look like numbers.
  const texts = kept.tasks.map((t) => `${JSON.stringify(t.id)}: ${JSON.stringify(plainTask(t))}`);
  const told = await writing.call("read", ["kept", `{${texts.join()}}`, ""]);
  if (told.error || !told.tasks.length) return null;
  const at = Math.max(0, told.tasks.findIndex((t) => t.id === kept.tasks[kept.at]?.id));
  const programs = new Map(kept.programs.filter((pair) => pair.every((text) => typeof text === "string")));
  state = { tasks: told.tasks, at, programs, sample: Math.max(0, Math.min(kept.sample | 0, samplesOf(told.tasks[at]).length - 1)) };
  return kept.given;
}

async function start() {
  try {
    const bundled = await writing.call("read", ["bundled", "", ""]);
    if (bundled.error) throw new Error(bundled.error.message);
    state = { ...state, tasks: bundled.tasks };
    const given = byId("given").textContent, before = await openKept().catch(() => null);
    say("");
    if (given !== before && JSON.parse(given)) await openGiven(JSON.parse(given), "the page");
    await openAddress(); // what is opened is a step: a link takes nobody's work away
    byId("all").inert = false;
    show();
    const language = await writing.call("language", []);
    if (!language.error) editor.learn(language);
    document.body.dataset.ready = "yes";
  } catch (error) {
    say(`the engine cannot start here: ${error.message}`, true);
  }
}
start();
