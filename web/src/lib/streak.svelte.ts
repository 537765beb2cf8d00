/** The days in a row on which the user has played, which the top bar shows; 0 while they are not known. */
export const streak = $state({ days: 0 });
