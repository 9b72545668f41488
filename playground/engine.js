// Calls to the engine. It runs in two workers, one for what is written and one for the search, so that neither a program
// nor a task can stop the page.
const workerAddress = URL.createObjectURL(new Blob([document.getElementById("worker").textContent], { type: "text/javascript" }));
const engineModule = (async () => {
  const packed = Uint8Array.from(atob(document.getElementById("engine").textContent.trim()), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
})();

// One worker, made when it is needed. `tell` gets each answer; where there is none in time, or the engine broke, the
// worker is ended, whoever waits is told, and the next call has another.
const ENDED = { error: { message: "the engine was ended" } };

class Engine {
  waiting = new Map();
  next = 0;

  async start() {
    const worker = this.worker = new Worker(workerAddress);
    worker.addEventListener("error", ({ message }) => { if (worker === this.worker) this.end({ error: { message } }); });
    worker.addEventListener("message", ({ data }) => {
      if (worker !== this.worker) return; // it was ended
      const tell = this.waiting.get(data.id);
      if (!data.more) this.waiting.delete(data.id); // else all answers ever given would be kept with it
      if (data.broken) this.end();
      tell?.(data.broken ? { error: { message: data.broken } } : JSON.parse(data.text), data.text);
    });
    worker.postMessage({ module: await engineModule });
  }

  async ask(name, given, tell) {
    if (!this.worker) this.ready = this.start();
    const { worker } = this;
    try {
      await this.ready;
    } catch ({ message }) {
      return tell({ error: { message } });
    }
    if (!worker || worker !== this.worker) return tell(ENDED);
    this.waiting.set(++this.next, tell);
    worker.postMessage({ id: this.next, name, given });
  }

  call(name, given, most = 0) {
    return new Promise((tell) => {
      const clock = most && setTimeout(() => {
        tell({ error: { message: "the engine gave no answer in time" } });
        this.end();
      }, most);
      this.ask(name, given, (...answer) => { clearTimeout(clock); tell(answer[0]); });
    });
  }

  end(why = ENDED) {
    const left = [...this.waiting.values()];
    this.worker?.terminate();
    this.worker = null;
    this.waiting.clear();
    left.forEach((tell) => tell(why));
  }
}
const writing = new Engine(), searching = new Engine();
