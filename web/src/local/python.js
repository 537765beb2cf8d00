/**
 * Starts the browser's Python with the program. The worker of the page and tests in Node do it the same way.
 *
 * The first start saves Python's memory after the modules are loaded; a start from that takes a tenth of the time. The
 * two options for it have an underscore in Pyodide, whose version is pinned: without them, every start is a first one.
 */

/**
 * Python with `fivedice.local`, from the archives of the program and of msgspec; and its memory, to be saved for the next
 * start, if it was not started from one. `load` is `loadPyodide`, and `indexURL` the folder of Pyodide's files.
 */
export async function startPython(load, indexURL, archives, memory) {
  const python = await load({ indexURL, ...(memory ? { _loadSnapshot: memory } : { _makeSnapshot: true }) });
  python.FS.writeFile("/lib/fivedice.zip", new Uint8Array(archives.program));
  if (!memory) {
    python.FS.writeFile("/lib/msgspec.whl", new Uint8Array(archives.wheel));
    python.runPython("import sys; sys.path.append('/lib/fivedice.zip'); import fivedice.local.ahead as ahead; ahead.prepare()");
  }
  const saved = memory ? undefined : python.makeMemorySnapshot();
  python.runPython("ahead.unpack()");
  return { python, saved };
}
