/** The title of a figure whose verdict is `refuse`: what is drawn, and nothing found in it. */
export const noAnswer = (drawn: string): string => `No answer from this log: ${drawn}`
