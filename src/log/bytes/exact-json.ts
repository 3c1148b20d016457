/** A number of at least this many digits before its point may be more than a double holds exactly. */
const LONG_NUMBER = /(?:^|[\s:,[-])\d{16}/
/** An escape of half a character: alone, it is no text. */
const SURROGATE = /\\u[dD][89a-fA-F]/
const SPACED_COLON = /"[ \t\r\n]+:/
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
const WORD = /true|false|null|-?(?:nan|inf(?:inity)?)(?![a-z])/iy
/** Spaces of a line that JSON does not know. */
const AROUND = /^[ \t\r]*[\v\f]|[\v\f][ \t\r]*$/
const SPACE = /[ \t\r\n]*/y

/** The values of a key that an object names more than once: which is meant is not known, so it is neither an id nor a number. */
class RepeatedKey {
  readonly #values: unknown[]

  constructor(values: unknown[]) {
    this.#values = values
  }

  with(value: unknown): RepeatedKey {
    return new RepeatedKey([...this.#values, value])
  }

  toJSON(): unknown {
    return this.#values
  }
}

/**
 * The value of a JSON document, as DuckDB reads it too. Whole numbers beyond 2^53 stay as they are written, as text: a
 * double would round them, and two ids could become one. NaN and Infinity, which Python writes, are numbers; a comma
 * may follow the last value; a key named twice has a `RepeatedKey`. Throws for anything else that is not JSON.
 */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return new JsonText(text).whole()
  }
  const isPlain = !LONG_NUMBER.test(text) && !SURROGATE.test(text) && !hasRepeatedKeys(text, value)
  return isPlain ? value : new JsonText(text).whole()
}

/** The object in a line of JSON; undefined if it holds anything else. Around it, tabs and feeds of any kind are spaces. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(AROUND.test(text) ? text.trim() : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** Whether the text may name keys more often than the value has them. Never false where it does. */
function hasRepeatedKeys(text: string, value: unknown): boolean {
  if (SPACED_COLON.test(text)) return true
  let named = 0
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 2)) named++
  return named !== keysIn(value)
}

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const isList = Array.isArray(value)
  const values: unknown[] = isList ? value : Object.values(value)
  let keys = isList ? 0 : values.length
  for (const inner of values) if (typeof inner === 'object') keys += keysIn(inner)
  return keys
}

/** Reads JSON by hand: slower than the engine's own parser, which neither keeps long numbers nor sees keys named twice. */
class JsonText {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): unknown {
    const value = this.#value()
    this.#match(SPACE)
    if (this.#at < this.#text.length) throw this.#unexpected()
    return value
  }

  #value(): unknown {
    this.#match(SPACE)
    const letter = this.#text[this.#at]
    if (letter === '{') return this.#object()
    if (letter === '[') return this.#list()
    if (letter === '"') return this.#string()
    const number = this.#match(NUMBER)
    if (number) {
      const value = Number(number[0])
      const isWhole = number[1] === undefined && number[2] === undefined
      return isWhole && !Number.isSafeInteger(value) ? number[0] : value
    }
    const word = this.#match(WORD)?.[0]
    if (word === undefined) throw this.#unexpected()
    if (/^(true|false|null)$/.test(word)) return JSON.parse(word)
    if (/^(true|false|null)$/i.test(word)) throw this.#unexpected()
    return /n$/i.test(word) ? NaN : word.startsWith('-') ? -Infinity : Infinity
  }

  #object(): Record<string, unknown> {
    const record = Object.create(null) as Record<string, unknown>
    this.#members('}', () => {
      const key = this.#string()
      this.#match(SPACE)
      this.#take(':')
      const value = this.#value()
      const before = record[key]
      if (!(key in record)) record[key] = value
      else record[key] = before instanceof RepeatedKey ? before.with(value) : new RepeatedKey([before, value])
    })
    return record
  }

  #list(): unknown[] {
    const values: unknown[] = []
    this.#members(']', () => values.push(this.#value()))
    return values
  }

  #members(end: string, read: () => void): void {
    this.#at++
    for (;;) {
      this.#match(SPACE)
      if (this.#text[this.#at] === end) break
      read()
      this.#match(SPACE)
      if (this.#text[this.#at] === end) break
      this.#take(',')
    }
    this.#at++
  }

  #string(): string {
    const start = this.#at
    if (this.#text[start] !== '"') throw this.#unexpected()
    let end = start
    do end = this.#text.indexOf('"', end + 1)
    while (end >= 0 && this.#isEscaped(end))
    if (end < 0) throw this.#unexpected()
    this.#at = end + 1
    const text = JSON.parse(this.#text.slice(start, end + 1)) as string
    if (/\p{Surrogate}/u.test(text)) throw this.#unexpected()
    return text
  }

  #isEscaped(at: number): boolean {
    let slashes = 0
    while (this.#text[at - 1 - slashes] === '\\') slashes++
    return slashes % 2 === 1
  }

  #take(letter: string): void {
    if (this.#text[this.#at] !== letter) throw this.#unexpected()
    this.#at++
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text) ?? undefined
    if (found) this.#at = pattern.lastIndex
    return found
  }

  #unexpected(): SyntaxError {
    return new SyntaxError(`Unexpected JSON at position ${this.#at}`)
  }
}
