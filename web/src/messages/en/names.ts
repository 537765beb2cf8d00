/** Names that are refused. */

export const names = {
  nameEmpty: "Type a name that people can see.",
  nameLong: "This name is too long: {n} characters, and 40 fit.",
  nameForbidden: "This name has invisible control characters. Type it again without them.",
  nameMarks: "This name has too many marks on one character.",
} as const;
