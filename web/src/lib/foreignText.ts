/**
 * Keeps words that change right where an extension or a translator has put elements in the place of texts.
 *
 * Svelte goes on to write to the text that it made, and removes that one. So a replaced text goes back to its place,
 * empty, before what replaced it; once Svelte writes to it or removes it, that goes. What does not change stays as the
 * extension wants it.
 */

interface Replaced {
  /** What stands for the text now. */
  by: ChildNode[];
  /** What the text said. */
  said: string;
}

const WATCHED = { subtree: true, childList: true, characterData: true };

export function keepTextsRight(root: Node): void {
  const replaced = new Map<Text, Replaced>();
  const observer = new MutationObserver((records) => {
    records.forEach((record, at) => {
      if (record.type === "characterData") written(record.target as Text);
      else record.removedNodes.forEach((node) => removed(node as ChildNode, record, records.slice(0, at)));
    });
    observer.takeRecords(); // what was done here
  });
  observer.observe(root, WATCHED);

  function written(text: Text): void {
    replaced.get(text)?.by.forEach((node) => node.remove());
    replaced.delete(text);
  }

  function removed(node: ChildNode, { target, addedNodes }: MutationRecord, before: readonly MutationRecord[]): void {
    // Some insert first, and remove then.
    const added = addedNodes.length ? addedNodes : before.findLast((one) => one.target === target && one.addedNodes.length && [one.nextSibling, one.previousSibling].includes(node))?.addedNodes;
    const by = [...(added ?? [])].filter((one) => one.parentNode === target) as ChildNode[];
    if (node instanceof Text && replaced.has(node)) {
      if (node.isConnected) node.after(...(replaced.get(node)?.by ?? [])); // Svelte has moved it
      else written(node);
    } else if (node instanceof Text && node.data.trim() && !node.isConnected && by[0]) {
      replaced.set(node, { by, said: node.data });
      by[0].before(node);
      node.data = "";
    } else for (const [text, found] of replaced) {
      if (!found.by.includes(node) || node.isConnected) continue;
      found.by = [...found.by.filter((one) => one !== node), ...by];
      if (found.by.length) continue;
      text.data = found.said; // the extension has taken its own away
      replaced.delete(text);
    }
  }
}
