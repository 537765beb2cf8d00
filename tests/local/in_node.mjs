// Runs a Python file in Pyodide with what the page ships: node in_node.mjs FOLDER SOURCES FILE TABLE DIGEST. Python
// finds the seconds from the start of Pyodide in STARTED, and the values of the rules with the digest in VALUES.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const [shipped, sources, file, table, digest] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "pyodide-"));
for (const name of readdirSync(shipped)) {
  const content = readFileSync(join(shipped, name));
  writeFileSync(join(folder, name.replace(/\.gz$/, "")), name.endsWith(".gz") ? gunzipSync(content) : content);
}
try {
  const began = performance.now();
  const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
  const python = await loadPyodide({ indexURL: folder });
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".whl") || name === "fivedice.zip")) {
    python.unpackArchive(new Uint8Array(readFileSync(join(folder, name))), "zip", { extractDir: "/lib/python3.14/site-packages" });
  }
  python.runPython("import fivedice.local.browser");
  python.globals.set("STARTED", (performance.now() - began) / 1_000);
  python.FS.mkdirTree("/home/pyodide/tests/local");
  python.FS.writeFile("/home/pyodide/tests/local/played.py", readFileSync(join(sources, "played.py")));
  python.globals.set("VALUES", python.toPy(new Uint8Array(readFileSync(table))));
  python.globals.set("DIGEST", digest);
  console.log(python.runPython(readFileSync(file, "utf8")));
} finally {
  rmSync(folder, { recursive: true });
}
