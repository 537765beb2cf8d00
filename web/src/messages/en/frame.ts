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
  // help
  keys: "Keys",
  keyDice: "keep a die, or let it go",
  keyRoll: "roll (also the space bar)",
  keyArrows: "move between the open boxes",
  keyEnter: "score in the box",
  keyUndo: "undo your score, until the next roll in a person's turn",
  keyHurry: "hurry a computer player",
  keyHelp: "show this help",
  helpKept: "Click a die to keep it. It shows KEPT and is not rolled again.",
  helpDice:
    "A secret fixes the dice before the first roll. It is revealed when the game ends, so that everyone can check every die.",
} as const;
