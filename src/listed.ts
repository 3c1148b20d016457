/** Words joined for a sentence: "a", "a and b", "a, b and c"; "or" instead where `last` says so. */
export const listed = (words: readonly string[], last: 'and' | 'or' = 'and'): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)!}`

/** What sentences begin with that is no name. */
const OPENINGS = new Set(
  'A About After All At Between Column Days Each Every For Half If In It Its Many Most Nearly Neither No None Not Nothing Of On One Only Propensities Rewards Rows Some The There These They This Times Two Users Weights What When Where With Without'.split(
    ' ',
  ),
)

/** A sentence behind a colon or within another: the first letter is lowered of a word that is surely no name. */
export const withinSentence = (sentence: string): string =>
  sentence.replace(/^[A-Z][a-z]*(?![\w/'’-])/, (word) => (OPENINGS.has(word) ? word.toLowerCase() : word))
