/** Creating a table and joining it, in Swedish. */

import type { setup as english } from "../en/setup";
import type { Translated } from "../types";

export const setup: Translated<typeof english> = {
  // creating a table
  rules: "Regler",
  ownRules: "Egna regler …",
  pasteRules: "Regler i TOML",
  pasteHint: "Klistra in texten i en regelfil. Den kontrolleras medan du skriver.",
  rulesValid: "Giltiga: {name}",
  options: "Varianter",
  seats: "Platser",
  seatNumber: "Plats {n}",
  addSeat: "Lägg till en plats",
  removeSeat: "Ta bort plats {n}",
  you: "Du",
  guest: "Gäst",
  friend: "En vän, via länk",
  alsoHere: "En person vid den här enheten",
  computer: "Dator: {kind}",
  kindGreedy: "Poängjägaren",
  kindOptimal: "Perfektionisten",
  kindRandom: "Slumpen",
  kindRival: "Rivalen",
  name: "Namn",
  yourName: "Ditt namn",
  begins: "Vem börjar",
  beginsFirst: "Plats 1",
  beginsHighest: "Högsta kastet",
  tutor: "Lärare",
  idle: "Om en spelare är inaktiv",
  idleAutomatic: "Automatiskt: 5 minuter för en inbjuden spelare, annars ingen gräns",
  idleNever: "Vänta så länge det behövs",
  idleAfter: {
    one: "En dator får hoppa in efter {n} minut",
    other: "En dator får hoppa in efter {n} minuter",
  },
  more: "Fler val",
  create: "Skapa bord",
  running: "Pågående spel",
  // joining
  join: "Sätt dig",
  invite: "Bjud in med den här länken",
  inviteHint: { one: "{n} plats är fortfarande ledig.", other: "{n} platser är fortfarande lediga." },
  share: "Dela",
  watching: "Du tittar på.",
  openSeat: "ledig",
};
