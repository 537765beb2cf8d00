/** The types of messages. English defines the keys; a message that depends on the number `n` has a singular and a plural. */

import type en from "./en.json";

export type Key = keyof typeof en;
export type Plural = { readonly one: string; readonly other: string };
/** The messages of another language: with plurals where English has plurals. */
export type Catalogue = { readonly [K in Key]: (typeof en)[K] extends string ? string : Plural };
