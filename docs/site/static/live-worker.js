// Runs the examples of a page with Python in the browser, one after another. The first message names the folder of the
// files that the static site plays with.
const PACKAGES = "/lib/python3.14/site-packages";
const RUN = `
import ast, contextlib, io, traceback

names = {"__name__": "__main__"}

def run(code):
    with contextlib.redirect_stdout(io.StringIO()) as output:
        try:
            for statement in ast.parse(code).body:
                exec(compile(ast.Interactive([statement]), "<example>", "single"), names)
        except BaseException as error:
            print("".join(traceback.format_exception_only(error)), end="")
    return output.getvalue()

run
`;

let begun;
let number = 0;

async function start(folder) {
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  const python = await loadPyodide({ indexURL: folder, stdLibURL: `${folder}whole_stdlib.zip` });
  const { files } = await (await fetch(`${folder}manifest.json`)).json();
  const wheel = files.find(({ path }) => path.endsWith(".whl")).path;
  for (const name of [wheel, "package.zip"]) {
    python.unpackArchive(await (await fetch(folder + name)).arrayBuffer(), "zip", { extractDir: PACKAGES });
  }
  return python.runPython(RUN);
}

async function answer({ id, before, code }) {
  try {
    const run = await begun;
    for (; number < before.length; number += 1) run(before[number]);
    if (number === before.length) number += 1;
    self.postMessage({ id, output: run(code) });
  } catch (error) {
    self.postMessage({ id, output: String(error) });
  }
}

let last = Promise.resolve();
self.onmessage = ({ data }) => {
  if (data.folder) begun = start(data.folder);
  else last = last.then(() => answer(data));
};
