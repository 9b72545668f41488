// What comes from outside: texts, files, links. The engine reads it, and it is shown as text.
const MOST_READ = 64e6, MOST_LINK = 2e6, MOST_UNPACKED = 4e6; // letters, bytes
const UNNAMED = ["pasted", "dropped"]; // what a task is called whose text was

// Takes tasks that the engine has read; a program where one came with them.
function takeTasks(tasks, program) {
  const programs = program === undefined ? state.programs : new Map(state.programs).set(tasks[0].id, program);
  stopSearch();
  change({ tasks, at: 0, sample: 0, programs }, "open");
}

// A text from outside: a task, a file of Kaggle, or a link.
async function read(text, id, solutions = "") {
  const link = /^[^{#\s]*#([pj])=(\S+)$/.exec(text.length <= MOST_LINK ? text.trim() : "");
  if (link) return openLink(link[1], link[2]);
  if (text.length > MOST_READ) return refuse(`${id} is too large: ${MOST_READ / 1e6} MB are the most`);
  if (!text.trim()) return refuse(`${id} is empty`);
  const tasks = await readTasks(text, id, solutions);
  if (!tasks) return false;
  // A task that came without a name gets a new one: the program that was written for the last is not for this.
  if (UNNAMED.includes(id) && tasks.length === 1 && tasks[0].id === id) tasks[0].id = freeId(id, state.programs);
  openTasks(tasks);
  return true;
}

async function readTasks(text, id, solutions) {
  const told = await writing.call("read", [id, text, solutions]);
  if (!told.error) return told.tasks;
  const { line, column, message } = told.error;
  say(line ? `${id}:${line}:${column}: ${message}` : message, true);
  return null;
}

function openTasks(tasks) {
  takeTasks(tasks);
  say(tasks.length === 1 ? `${tasks[0].id} is open` : `${tasks.length} tasks are open`);
}

// Programs belong to an id: two tasks of one name would have the same.
function freeId(id, ids) {
  let free = id;
  for (let number = 2; ids.has(free); number++) free = `${id.slice(0, 60)}_${number}`;
  return free;
}

const textOf = (file) => (file.size > MOST_READ ? Promise.resolve("x".repeat(MOST_READ + 1)) : file.text());

async function openFiles(files) {
  try {
    await readFiles(files);
  } catch ({ message }) { // a folder, one that has gone
    say(`this cannot be read: ${message}`, true);
  }
}

async function readFiles(files) {
  const solutions = files.find((file) => file.name.includes("solutions"));
  const others = files.filter((file) => file !== solutions);
  if (!others.length) return say(solutions ? "solutions need the challenges that they are for: open both at once" : "there is no file", true);
  const idOf = (file) => file.name.replace(/\.json$/, "");
  if (others.length === 1) return read(await textOf(others[0]), idOf(others[0]), solutions ? await textOf(solutions) : "");
  if (others.reduce((sum, file) => sum + file.size, 0) > MOST_READ) return say(`the files are too large: ${MOST_READ / 1e6} MB are the most`, true);
  const all = [], ids = new Set();
  for (const file of others) {
    const tasks = await readTasks(await file.text(), idOf(file), "");
    if (!tasks) return; // it was said why
    for (const task of tasks) {
      const id = freeId(task.id, ids);
      ids.add(id);
      all.push({ ...task, id });
    }
  }
  openTasks(all);
}

// ---- Links: task and program behind #p=, packed, or #j=, as they are ----

const toLetters = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const toBytes = (letters) => Uint8Array.from(atob(letters.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
const through = (bytes, stream) => new Blob([bytes]).stream().pipeThrough(stream);

// Ends where it becomes too much: a short link can hold a great deal.
async function unpack(letters) {
  const reader = through(toBytes(letters), new DecompressionStream("deflate-raw")).getReader();
  const pieces = [];
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(pieces).text();
    size += value.length;
    if (size > MOST_UNPACKED) { reader.cancel(); throw new Error("it holds too much"); }
    pieces.push(value);
  }
}

async function openLink(kind, letters) {
  try {
    const text = kind === "p" ? await unpack(letters) : decodeURIComponent(letters);
    return await openGiven(JSON.parse(text), "the link");
  } catch (error) {
    return refuse(`the link cannot be read: ${error.message}`);
  }
}

// {id, task, program}, from a link or from the command that wrote this page.
async function openGiven(given, what) {
  const id = typeof given?.id === "string" && given.id ? given.id.slice(0, 200) : "shared";
  const told = await writing.call("read", [id, JSON.stringify(given?.task ?? null), ""]);
  if (told.error || told.tasks.length !== 1) return refuse(`${what} holds no task: ${told.error?.message ?? "there are several"}`);
  takeTasks(told.tasks, typeof given.program === "string" ? given.program.replace(/\r\n?/g, "\n") : undefined); // as the editor has it
  say(`${id} is open`);
  return true;
}

async function share() {
  const coded = new TextEncoder().encode(JSON.stringify({ id: taskNow().id, task: plainTask(taskNow()), program: programNow() }));
  const packed = await new Response(through(coded, new CompressionStream("deflate-raw"))).arrayBuffer();
  const letters = toLetters(new Uint8Array(packed)), field = byId("address");
  if (coded.length > MOST_UNPACKED || letters.length > MOST_LINK) return say("this is too much for a link: save the task instead", true);
  field.value = `${location.href.split("#")[0]}#p=${letters}`;
  byId("link").hidden = false;
  field.focus();
  field.select();
  const copied = await navigator.clipboard?.writeText(field.value).then(() => true, () => false);
  say(`a link with task and program, ${field.value.length} letters${copied ? ", is copied" : ""}`);
}
