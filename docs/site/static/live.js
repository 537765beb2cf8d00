// "Try it" beside the examples of a page: their code runs in the reader's browser (live-worker.js). The static site has
// this script, on pages whose examples need no solver; data-stop has what the first example contains that does.
const ROOT = new URL(document.documentElement.dataset.content_root, location.href);
const { page, stop } = document.currentScript.dataset;

let worker;
let lastId = 0;
const waiting = new Map();

/** The output of code; `before` has the code of earlier examples, which run first unless they have run. */
function run(before, code) {
  if (!worker) {
    worker = new Worker(new URL("_static/live-worker.js", ROOT), { type: "module" });
    worker.onmessage = ({ data: { id, output } }) => {
      waiting.get(id)(output);
      waiting.delete(id);
    };
    worker.postMessage({ folder: new URL(`${page}local/`, ROOT).href });
  }
  lastId += 1;
  worker.postMessage({ id: lastId, before, code });
  return new Promise((resolve) => waiting.set(lastId, resolve));
}

/** The code of an example, without prompts and output. */
function codeOf(text) {
  const lines = text.split("\n");
  if (!lines.some((line) => line.startsWith(">>>"))) return text.trimEnd();
  return lines.filter((line) => /^(>>>|\.\.\.)/.test(line)).map((line) => line.slice(4)).join("\n");
}

function add(block, before, code) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "try", textContent: "Try it" });
  block.append(button);
  button.addEventListener("click", () => {
    const rows = code.split("\n").length + 1;
    const editor = Object.assign(document.createElement("textarea"), { value: code, rows, spellcheck: false, className: "try-code" });
    editor.setAttribute("aria-label", "Code");
    const output = Object.assign(document.createElement("pre"), { className: "try-output" });
    output.setAttribute("role", "status");
    block.append(editor, output);
    button.textContent = "Run";
    editor.focus();
    const show = async () => {
      output.textContent = "Running …";
      output.textContent = await run(before, editor.value);
    };
    button.addEventListener("click", () => void show());
    void show();
  }, { once: true });
}

document.addEventListener("DOMContentLoaded", () => {
  const before = [];
  for (const block of document.querySelectorAll("div.highlight-python")) {
    const code = codeOf(block.querySelector("pre").textContent);
    if (new RegExp(stop).test(code)) break;
    add(block, [...before], code);
    before.push(code);
  }
});
