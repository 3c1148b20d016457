/** A whole number of at least this many digits may be more than a double holds exactly. */
const LONG_NUMBER = /\d{16}/
/** The texts and numbers of a JSON document. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
const LONG_WHOLE = /^-?[1-9]\d{15,}$/

/**
 * The value of a JSON document, in which whole numbers beyond 2^53 stay as they are written: as text, since a double
 * would round them and two ids could become one. Throws as `JSON.parse` does.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  // The second reading only adds quotes around numbers, so it cannot fail where the first did not.
  return LONG_NUMBER.test(text) ? JSON.parse(text.replaceAll(TOKENS, quoteLong)) : value
}

const quoteLong = (token: string): string =>
  LONG_WHOLE.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token

/** The object in a JSON document; undefined if it holds anything else. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
