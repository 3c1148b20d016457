/** Words joined for a sentence: "a", "a and b", "a, b and c"; "or" instead where `last` says so. */
export const listed = (words: readonly string[], last: 'and' | 'or' = 'and'): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)!}`
