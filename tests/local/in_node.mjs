// Runs a Python file in Pyodide with what the page ships: node in_node.mjs FOLDER SOURCES FILE DIGEST VALUES PARTS.
// Python is started from the memory of a first start, as the page starts it. It finds the seconds of that in STARTED, those
// of the first start in FIRST, and the portable files of the rules with the digest in VALUES and PARTS.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { startPython } from "../../web/src/local/python.js";

const [shipped, sources, file, digest, values, parts] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "pyodide-"));
for (const name of readdirSync(shipped)) {
  const content = readFileSync(join(shipped, name));
  writeFileSync(join(folder, name.replace(/\.gz$/, "")), name.endsWith(".gz") ? gunzipSync(content) : content);
}
try {
  const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
  const [program, wheel] = ["fivedice.zip", readdirSync(folder).find((name) => name.endsWith(".whl"))].map((name) => readFileSync(join(folder, name)));
  const start = async (memory) => {
    const began = performance.now();
    const started = await startPython(loadPyodide, folder, { program, wheel }, memory);
    started.python.runPython("import fivedice.local.browser");
    return { ...started, seconds: (performance.now() - began) / 1_000 };
  };
  const first = await start();
  const { python, seconds } = await start(first.saved);
  python.globals.set("FIRST", first.seconds);
  python.globals.set("STARTED", seconds);
  python.FS.mkdirTree("/home/pyodide/tests/local");
  python.FS.writeFile("/home/pyodide/tests/local/played.py", readFileSync(join(sources, "played.py")));
  python.globals.set("VALUES", python.toPy(new Uint8Array(readFileSync(values))));
  python.globals.set("PARTS", python.toPy(new Uint8Array(readFileSync(parts))));
  python.globals.set("DIGEST", digest);
  console.log(python.runPython(readFileSync(file, "utf8")));
} finally {
  rmSync(folder, { recursive: true });
}
