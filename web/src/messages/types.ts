/** The types of the message catalogues. English defines the keys; the other languages must have the same ones. */

import type { en } from "./en";

export type Key = keyof typeof en;
export type Plural = { readonly one: string; readonly other: string };
/** The messages of another language: the keys of the English ones, with plurals where English has plurals. */
export type Translated<English> = { readonly [K in keyof English]: English[K] extends string ? string : Plural };
export type Catalogue = Translated<typeof en>;
