/** `copy`: a text for other programs. */

/**
 * Copies a text, which `select` selects on the page, and returns whether that was possible. Only secure origins have a
 * clipboard, which a phone in the same network is not, and the browser may refuse it.
 */
export async function copy(text: string, select: () => void): Promise<boolean> {
  select();
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}
