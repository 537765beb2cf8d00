/** Starts the browser's Python (`python.js`, which tests in Node run, too). */

export interface Python {
  runPython(code: string): unknown;
  toPy(value: unknown): unknown;
}

/** `loadPyodide`. */
export type Load = (options: Record<string, unknown>) => Promise<Python>;

export function startPython(
  load: Load,
  indexURL: string,
  archives: { readonly program: ArrayBuffer; readonly wheel: ArrayBuffer },
  memory?: Uint8Array,
): Promise<{ readonly python: Python; readonly saved?: Uint8Array }>;
