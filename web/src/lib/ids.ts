/** Random ids and nonces, in hexadecimal digits. `randomUUID` exists on secure origins only. */

export function hex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
