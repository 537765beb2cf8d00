/** A plugin of Vite: what a catalogue of translations, a .po file, says for the keys of the page's English messages. */

import { readFileSync } from "node:fs";
import PO from "pofile";
import type { Plugin } from "vite";

type Message = string | { one: string; other: string };

const ENGLISH = new URL("src/messages/en.json", import.meta.url);

/** The messages by key. A key is the context of its message if its English text has another meaning elsewhere. */
export function translated(text: string): Record<string, Message> {
  const items = PO.parse(text).items;
  const found = new Map(items.map((item) => [`${item.msgctxt ?? ""}\0${item.msgid}`, item.msgstr]));
  const english = JSON.parse(readFileSync(ENGLISH, "utf8")) as Record<string, Message>;
  const messages = Object.entries(english).map(([key, message]): [string, Message] => {
    const one = typeof message === "string" ? message : message.one;
    const forms = found.get(`${key}\0${one}`) ?? found.get(`\0${one}`) ?? [];
    const [first, second] = forms;
    if (!first || (typeof message !== "string" && !second)) throw new Error(`no translation of "${one}": run make catalogues, and translate what is empty`);
    return [key, typeof message === "string" ? first : { one: first, other: second ?? "" }];
  });
  return Object.fromEntries(messages);
}

export function catalogues(): Plugin {
  return {
    name: "catalogues",
    transform: {
      filter: { id: /\.po$/ },
      handler(text, id) {
        this.addWatchFile(ENGLISH.pathname);
        try {
          return { code: `export default ${JSON.stringify(translated(text))};`, map: null };
        } catch (error) {
          throw new Error(`${id}: ${(error as Error).message}`);
        }
      },
    },
  };
}
