// The engine in a worker: it gets the compiled module, then calls by the name that they have in engine.c. A text
// goes in as its place and length. What comes back is JSON, as a text. A search tells after each step and goes on
// by itself; who wants it to end ends the worker.
"use strict";
const WRONG = -1, NOT_THERE = -44; // as WASI has them, for files
let engine;

const bytes = () => new Uint8Array(engine.memory.buffer); // anew after each call: memory grows

function imports(module) {
  const all = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    all[from] ??= {};
    all[from][name] = () => (name.startsWith("__syscall") ? NOT_THERE : WRONG); // there are no files
  }
  const set = (from, name, call) => { if (all[from]?.[name]) all[from][name] = call; };
  set("env", "emscripten_notify_memory_growth", () => {});
  set("env", "getentropy", (at, count) => { crypto.getRandomValues(bytes().subarray(at, at + count)); return 0; });
  set("wasi_snapshot_preview1", "proc_exit", (code) => { throw new Error(`the engine has ended with ${code}`); });
  set("wasi_snapshot_preview1", "clock_time_get", (clock, precision, at) => {
    new DataView(engine.memory.buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
    return 0;
  });
  return all;
}

function start(module) {
  engine = new WebAssembly.Instance(module, imports(module)).exports;
  engine._initialize?.();
}

function lay(text) {
  const coded = new TextEncoder().encode(text);
  const at = engine.page_alloc(coded.length + 1);
  if (!at) throw new Error("memory is short");
  bytes().set(coded, at);
  bytes()[at + coded.length] = 0;
  return [at, coded.length];
}

function call(name, ...given) {
  const laid = [];
  const values = given.flatMap((value) => {
    if (typeof value === "number") return value;
    const pair = lay(value);
    laid.push(pair[0]);
    return pair;
  });
  const at = engine[`page_${name}`](...values);
  laid.forEach((place) => engine.page_free(place));
  if (!at) throw new Error("memory is short");
  const text = new TextDecoder().decode(bytes().slice(at, bytes().indexOf(0, at)));
  engine.page_free(at);
  return text;
}

function search(id, task, seconds) {
  const begun = call("task", task);
  let text = JSON.parse(begun).error ? begun : call("search", seconds);
  for (;;) {
    const told = JSON.parse(text), more = !told.error && !told.over;
    postMessage({ id, text, more });
    if (!more) break;
    text = call("more");
  }
}

onmessage = ({ data }) => {
  if (data.module) return start(data.module);
  const { id, name, given } = data;
  try {
    if (name === "search") search(id, ...given);
    else postMessage({ id, text: call(name, ...given) });
  } catch (error) { // what it held may be in any state: the page begins anew with another worker
    postMessage({ id, broken: String(error.message) });
  }
};
