/** The rules: all rulesets, one in full, the rule of a box, and the help. */

export const rules = {
  rulesLead: "Every game that you can play here. Choose one to see its boxes, with dice for each.",
  trademarks:
    "Yahtzee is a trademark of Hasbro, and Kniffel one of Schmidt Spiele; other names of games may be trademarks of their owners too. fivedice is not affiliated with any of them: the names only say by which rules you play.",
  licences: "Licences of the fonts and libraries in this page",
  familyYahtzee: "The Yahtzee family",
  familyYatzy: "The Yatzy family",
  familyOther: "Other games with dice",
  rulesOf: "Rules of {name}",
  rulesUnknown: "There are no rules of this name.",
  allGames: "All games",
  allRules: "All the rules",
  playedHere: "played here",
  boxNeeds: "Needs",
  boxPays: "Scores",
  boxExample: "Example",
  boxPoints: { one: "{n} point", other: "{n} points" },
  boxGets: { one: "gets {n} point", other: "gets {n} points" },
  yes: "yes",
  no: "no",
  jokerInWords: "The same in words",
  howToPlay: "How to play",
  helpRoll: "Roll five dice. Keep the ones you like and roll the others again, up to twice.",
  helpScore:
    "Then choose a box on your card. Each box needs certain dice and takes one roll only. If nothing fits, one box gets 0.",
  helpBonus: "63 points in the upper boxes earn 35 more. When every box is filled, the highest total wins.",
  helpRules: "All the rules, of every game",
  helpRulesHere: "All the rules at this table",
  helpBox: "To read the rule of a box, hold it, or point at its name.",
  keyRule: "show the rule of the box",
} as const;
