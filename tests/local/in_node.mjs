// Runs a Python file in Pyodide with what the page ships: node in_node.mjs FOLDER SOURCES FILE [TABLE DIGEST].
import { readFileSync, readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, sources, file, table, digest] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: folder });
const wheel = readdirSync(folder).find((name) => name.startsWith("msgspec-"));
for (const name of [wheel, "fivedice.zip"]) python.unpackArchive(new Uint8Array(readFileSync(`${folder}/${name}`)), "zip", { extractDir: "/lib/python3.14/site-packages" });
python.FS.mkdirTree("/home/pyodide/tests/local");
python.FS.writeFile("/home/pyodide/tests/local/played.py", readFileSync(`${sources}/played.py`));
if (table) {
  python.globals.set("VALUES", python.toPy(new Uint8Array(readFileSync(table))));
  python.globals.set("DIGEST", digest);
}
console.log(python.runPython(readFileSync(file, "utf8")));
