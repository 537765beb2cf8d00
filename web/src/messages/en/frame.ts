/** Navigation, settings and help. */

export const frame = {
  // navigation and settings
  appName: "fivedice",
  home: "Play",
  myGames: "My games",
  allPages: "All pages",
  learnShort: "Learn",
  verify: "Check dice",
  help: "Help",
  skip: "Skip to the content",
  settings: "Settings",
  language: "Language",
  boxesOnly: "Names of boxes only",
  theme: "Colours",
  themeAuto: "Same as the system",
  themeLight: "Light",
  themeDark: "Dark",
  sound: "Sounds",
  close: "Close",
  copy: "Copy",
  copied: "Copied",
  loading: "Loading …",
  notFound: "There is no such page.",
  // playing without the server
  offlinePlay: "Play offline",
  offlineAbout:
    "Play without a connection: against the computer, or by passing this device around. The files for that stay on this device.",
  offlineAdvice: "With advice and reviews for",
  offlineSizing: "Computing the size …",
  offlineKeep: "Download {n} MB",
  offlineKeeping: "{n} of {all} MB",
  offlinePreparing: "Preparing to play …",
  offlineKept: "You can play offline. The files take {n} MB on this device.",
  offlineRemove: "Remove the files",
  offlineInsecure: "This browser keeps files only for addresses that begin with https.",
  offlineFull: "There is no room for the files on this device.",
  // a static site
  documentation: "Documentation",
  staticNow: "This page has no server: your device rolls the dice and computes everything itself.",
  // help
  keys: "Keys",
  keyDice: "keep a die, or let it go; with real dice, enter a face",
  keyRoll: "roll (also the space bar)",
  keyArrows: "move between the open boxes",
  keyEnter: "score in the box",
  keyUndo: "undo your score, until the next roll in a person's turn; with real dice, the last entry",
  keyHurry: "hurry a computer player",
  keyHelp: "show this help",
  helpKept: "Click a die to keep it. It shows KEPT and is not rolled again.",
  helpDice:
    "A secret fixes the dice before the first roll. It is revealed when the game ends, so that everyone can check every die.",
} as const;
