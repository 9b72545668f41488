// The editor: a plain field for the text, and behind it the same text in colours, with what is wrong underlined and said
// at the end of its line. Names are offered while one types.
const MOST_COLORED = 20000; // letters of a program; a longer one has no colours
const MOST_OFFERS = 12;
const MOST_CALL = 500; // letters before the caret in which its name and call are looked for
const KEYWORDS = new Set(["def", "return", "from", "import", "for", "in", "if", "else", "elif", "while", "lambda", "and", "or", "not"]);
const TOKENS = /(#.*)|("[^"\n]*"|'[^'\n]*')|(\d+)|([A-Za-z_]\w*)/g;

const signature = (op) => `${op.name}(${op.parameters.map(([name, type]) => `${name}: ${type}`).join(", ")}) → ${op.result}`;

function makeEditor(byId, { changed, moved }) {
  const field = byId("program"), colored = byId("colored"), offers = byId("offers"), names = byId("names");
  let ops = new Map(), constants = new Map(), problems = [], offered = [], selected = 0, hasMoved = false, blamed = "";

  // ---- Colours ----
  const kind = (comment, text, number, name) => {
    if (comment) return "comment";
    if (text || number) return "number";
    if (KEYWORDS.has(name)) return "keyword";
    return ops.has(name) ? "op" : constants.has(name) ? "constant" : "";
  };
  const cutUp = (line) => { // [text, class]
    const pieces = [];
    let end = 0;
    for (const found of line.matchAll(TOKENS)) {
      pieces.push([line.slice(end, found.index), ""], [found[0], kind(...found.slice(1))]);
      end = found.index + found[0].length;
    }
    return [...pieces, [line.slice(end), ""]];
  };
  const paintLine = (line, wrong) => {
    const spans = [], from = wrong ? wrong.column - 1 : -1, to = wrong ? from + Math.max(1, wrong.length ?? 1) : -1;
    let at = 0;
    for (const [text, name] of cutUp(wrong && line.length <= from ? line.padEnd(from + 1) : line)) {
      const cuts = [0, from - at, to - at, text.length].filter((cut) => cut >= 0 && cut <= text.length).sort((a, b) => a - b);
      for (let k = 1; k < cuts.length; k++) {
        if (cuts[k] === cuts[k - 1]) continue;
        const inside = at + cuts[k - 1] >= from && at + cuts[k] <= to;
        spans.push(make("span", { class: inside ? `${name} wrong` : name }, text.slice(cuts[k - 1], cuts[k])));
      }
      at += text.length;
    }
    if (wrong) spans.push(make("span", { class: "lens" }, wrong.message));
    return [...spans, "\n"];
  };
  const paint = () => {
    const lines = field.value.split("\n");
    field.rows = Math.min(200, Math.max(6, lines.length + 1));
    if (field.value.length > MOST_COLORED) colored.replaceChildren(field.value);
    else colored.replaceChildren(...lines.flatMap((line, k) => paintLine(line, problems.find((p) => p.line === k + 1))));
    field.classList.toggle("plain", field.value.length > MOST_COLORED);
    colored.scrollLeft = field.scrollLeft;
  };

  // ---- Where the caret is ----
  const caret = () => {
    const before = field.value.slice(0, field.selectionStart), start = before.lastIndexOf("\n") + 1;
    return { line: before.split("\n").length, column: before.length - start, word: /[A-Za-z_]\w*$/.exec(before.slice(-MOST_CALL))?.[0] ?? "" };
  };
  const hint = () => {
    const { value, selectionStart: at } = field, before = value.slice(Math.max(0, at - MOST_CALL), at);
    const name = (/[A-Za-z_]\w*$/.exec(before)?.[0] ?? "") + (/^\w*/.exec(value.slice(at))?.[0] ?? "");
    // Of a call around the caret where it stands on no name.
    const around = /([A-Za-z_]\w*)\([^()\n]*$/.exec(before)?.[1];
    const op = ops.get(name) ?? ops.get(around);
    byId("hint").textContent = op ? `${signature(op)}: ${op.doc}` : constants.has(name) ? `${name} is ${constants.get(name)}` : "";
  };

  // ---- Offers ----
  // Where what is new in a text ends: there the caret is after a step back.
  const changeEnd = (old, text) => {
    const most = Math.min(old.length, text.length);
    let front = 0, back = 0;
    while (front < most && old[front] === text[front]) front++;
    while (back < most - front && old.at(-1 - back) === text.at(-1 - back)) back++;
    return text.length - back;
  };
  const close = () => {
    offers.hidden = true;
    field.removeAttribute("aria-activedescendant");
  };
  const select = (to) => {
    selected = (to + offered.length) % offered.length;
    [...names.children].forEach((item, k) => item.setAttribute("aria-selected", k === selected));
    names.children[selected].scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", `offer-${selected}`);
    const op = ops.get(offered[selected]), value = constants.get(offered[selected]);
    byId("about").replaceChildren(...(op ? [make("code", {}, signature(op)), make("p", {}, op.doc),
      op.example ? make("code", { class: "soft" }, `${op.example} => ${op.gives}`) : ""] : [value ? `= ${value}` : "a line of this program"]));
  };
  const matching = (word) => {
    const mine = [...field.value.matchAll(/^ *([A-Za-z_]\w*) *=/gm)].map((found) => found[1]);
    const all = [...new Set([...mine, ...ops.keys(), ...constants.keys()])].filter((name) => name !== word);
    const low = word.toLowerCase(), begin = all.filter((name) => name.toLowerCase().startsWith(low));
    return [...begin, ...all.filter((name) => !begin.includes(name) && name.toLowerCase().includes(low))].slice(0, MOST_OFFERS);
  };
  const offer = (asked) => {
    const { line, column, word } = caret();
    if (!asked && (word.length < 2 || ops.has(word) || constants.has(word))) return close();
    offered = matching(word);
    if (!offered.length || /#/.test(field.value.split("\n")[line - 1].slice(0, column))) return close();
    names.replaceChildren(...offered.map((name, k) => make("li", { role: "option", id: `offer-${k}`,
      onmousedown: (event) => { event.preventDefault(); take(k); } }, name)));
    const style = getComputedStyle(field), high = parseFloat(style.lineHeight);
    offers.style.top = `${parseFloat(style.paddingTop) + line * high}px`;
    offers.style.left = `min(${column - word.length}ch, 100% - var(--wide))`;
    offers.hidden = false;
    hasMoved = asked;
    select(0);
  };
  const insert = (text, from, to) => {
    field.setRangeText(text, from, to, "end");
    close();
    edited();
  };
  const take = (k) => insert(offered[k], field.selectionStart - caret().word.length, field.selectionStart);

  // ---- Keys ----
  const pressed = (event) => {
    if (event.ctrlKey && event.key === " ") { event.preventDefault(); return offer(true); }
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Enter" && !hasMoved) close(); // nothing was chosen: it is the end of the line
    if (!offers.hidden) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) { hasMoved = true; select(selected + step); }
      else if (event.key === "Tab" || event.key === "Enter") take(selected);
      else if (event.key === "Escape") close();
      else return;
      event.preventDefault();
    } else if (event.key === "Enter") { // the next line begins where this one does, or further in
      const line = field.value.slice(0, field.selectionStart).split("\n").pop();
      event.preventDefault();
      insert(`\n${/^ */.exec(line)[0]}${/:\s*$/.test(line) ? "    " : ""}`, field.selectionStart, field.selectionEnd);
    }
  };
  const edited = () => {
    problems = problems.filter((p) => p.line < caret().line); // those before it still hold
    paint();
    hint();
    changed(field.value);
  };
  field.addEventListener("input", () => { edited(); offer(false); });
  field.addEventListener("keydown", pressed);
  field.addEventListener("blur", close);
  field.addEventListener("scroll", () => { colored.scrollLeft = field.scrollLeft; });
  document.addEventListener("selectionchange", () => {
    if (document.activeElement !== field) return;
    hint();
    moved(caret().line);
  });

  return {
    learn(language) {
      ops = new Map(language.ops.map((op) => [op.name, op]));
      constants = new Map(language.constants);
      paint();
    },
    set(text) {
      if (field.value === text) return;
      const end = changeEnd(field.value, text);
      field.value = text;
      field.setSelectionRange(end, end);
      problems = [];
      close();
      paint();
    },
    blame(found) {
      problems = found;
      paint();
      const key = JSON.stringify(found);
      if (key === blamed) return; // nothing new to read out, and who is at a button stays there
      blamed = key;
      byId("problems").replaceChildren(...found.map((p) => make("li", {},
        make("button", { type: "button", onclick: () => this.go(p.line, p.column) }, `line ${p.line}`),
        p.remedy ? `${p.message}; ${p.remedy}` : p.message)));
    },
    go(line, column = 1) {
      const start = field.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1) + column - 1;
      field.focus();
      field.setSelectionRange(start, start);
    },
    line: () => (document.activeElement === field ? caret().line : 0),
  };
}
