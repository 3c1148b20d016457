import type { ColumnOrigins } from '../bad-rows.js'
import {
  type CellColumn,
  FILLED,
  namesIn,
  NOTATIONS,
  PLAIN_NAME,
  type TextRelation,
  type Value,
} from './value.js'
import { type FunctionName, namedIn, type Operator, type Relation } from '../../expression.js'
import { HindcastError } from '../../error.js'
import { suggest } from '../../suggest.js'
import { computeValue } from './compute-value.js'

/** Where a column of the log comes from: a column of the file as it is, or a value computed from several. */
export type Origin =
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'value'; readonly value: Value }

/**
 * What a text in a mapping of columns means: a column of the file where one has that name, however odd it is, otherwise
 * a value. `meaning` is the column of the log that it is for.
 */
export function originOf(text: string, names: readonly string[], meaning: string): Origin {
  if (names.includes(text)) return { kind: 'column', name: text }
  const value = parseValue(text, meaning)
  const { comma, percent, compared, filled } = value.kind === 'column' ? value.column : {}
  return value.kind === 'column' && !comma && !percent && !compared && filled === undefined
    ? { kind: 'column', name: value.column.name }
    : { kind: 'value', value }
}

/** The columns of the file that the columns of the log are read from, each once. */
export function namesBehind(origins: ColumnOrigins, names: readonly string[]): string[] {
  const behind = Object.entries(origins).flatMap(([column, texts]) =>
    texts.flatMap((text) => {
      const origin = originOf(text, names, column)
      return origin.kind === 'column' ? [origin.name] : namesIn(origin.value)
    }),
  )
  return [...new Set(behind)]
}

/** What a value is written with, for messages. */
const LANGUAGE =
  "A value is made of numbers, columns (in double quotes if their names have spaces or signs), + - * /, comparisons (>=, >, <=, <, =, !=; the last two also with a text in single quotes), exp, log, min, max, filled, comma, percent and parentheses: p / 100, exp(logp), rating >= 4, status = 'clicked'."

/** Nobody types a longer one, and a parser that calls itself needs a limit. */
const LONGEST = 1000

/** A piece of the text of a value, and the place of its first character, counted from 0. */
interface Token {
  readonly kind: 'number' | 'name' | 'quoted' | 'text' | 'sign' | 'end'
  readonly text: string
  readonly at: number
}

const TOKENS: readonly (readonly [kind: Token['kind'], pattern: RegExp])[] = [
  ['number', /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y],
  ['name', new RegExp(PLAIN_NAME.source, 'uy')],
  ['quoted', /"(?:[^"]|"")+"/y],
  ['text', /'(?:[^']|'')+'/y],
  ['sign', />=|<=|!=|==|<>|[-+*/()=<>,≥≤≠×·÷−–]/y],
]

/** Signs that mean another. */
const ALIASES: Readonly<Record<string, string>> = {
  '==': '=',
  '<>': '!=',
  '≥': '>=',
  '≤': '<=',
  '≠': '!=',
  '×': '*',
  '·': '*',
  '÷': '/',
  '−': '-',
  '–': '-',
}

const TEXT_RELATIONS: readonly string[] = ['=', '!='] satisfies TextRelation[]
const RELATIONS: readonly string[] = ['=', '!=', '<', '<=', '>', '>='] satisfies Relation[]
const ONE_NUMBER: readonly string[] = ['exp', 'log'] satisfies FunctionName[]
const SEVERAL_NUMBERS: readonly string[] = ['min', 'max'] satisfies Operator[]
const FUNCTIONS: readonly string[] = [...ONE_NUMBER, ...SEVERAL_NUMBERS, ...NOTATIONS, FILLED]

/**
 * Reads a value: `p / 100`, `exp(logp)`, `rating >= 4`. `meaning` is the column of the log that it is for, which
 * errors name with the place of the fault. Whether the file has the columns is for others to say.
 */
export function parseValue(text: string, meaning: string): Value {
  return new ValueParser(text, meaning).whole()
}

class ValueParser {
  readonly #text: string
  readonly #meaning: string
  readonly #tokens: readonly Token[]
  #next = 0

  constructor(text: string, meaning: string) {
    this.#text = text
    this.#meaning = meaning
    if (text.length > LONGEST)
      throw new HindcastError('bad-option', `The value for ${meaning} has more than ${LONGEST} characters.`, {
        remedy: 'Compute it in the file, or write it shorter.',
      })
    this.#tokens = this.#split()
  }

  whole(): Value {
    const value = this.#comparison()
    if (this.#token.kind !== 'end') throw this.#unexpected('an operator or the end')
    return value
  }

  get #token(): Token {
    return this.#tokens[this.#next]!
  }

  #split(): Token[] {
    const tokens: Token[] = []
    let at = 0
    for (;;) {
      while (/\s/.test(this.#text[at] ?? '')) at++
      if (at === this.#text.length) return [...tokens, { kind: 'end', text: '', at }]
      const token = this.#tokenAt(at)
      tokens.push(token)
      at += token.text.length
    }
  }

  #tokenAt(at: number): Token {
    for (const [kind, pattern] of TOKENS) {
      pattern.lastIndex = at
      const text = pattern.exec(this.#text)?.[0]
      if (text !== undefined) return { kind, text, at }
    }
    throw /["']/.test(this.#text[at]!)
      ? this.#fault(at, 'the quotation mark is not closed')
      : this.#fault(
          at,
          `${JSON.stringify(String.fromCodePoint(this.#text.codePointAt(at)!))} has no meaning here`,
        )
  }

  /** Takes the next token if it is one of these signs. */
  #take(...signs: readonly string[]): string | undefined {
    const { kind, text } = this.#token
    const sign = kind === 'sign' ? (ALIASES[text] ?? text) : undefined
    if (sign === undefined || !signs.includes(sign)) return undefined
    this.#next++
    return sign
  }

  #comparison(): Value {
    const left = this.#side()
    const relation = this.#take(...RELATIONS) as Relation | undefined
    if (relation === undefined) {
      if ('text' in left) throw this.#fault(left.at, 'a text is compared with a column, by = or !=')
      return left
    }
    const right = this.#side()
    const { at } = this.#token
    if (this.#take(...RELATIONS))
      throw this.#fault(at, 'a second comparison needs parentheses around the first')
    if ('text' in left) return this.#comparedWith(left, relation, right)
    if ('text' in right) return this.#comparedWith(right, relation, left)
    return { kind: 'case', relation, left, right, value: constant(1), otherwise: constant(0) }
  }

  /** What stands on a side of a comparison: a number, or a text in single quotes. */
  #side(): Value | Token {
    const token = this.#token
    if (token.kind !== 'text') return this.#sum()
    this.#next++
    return token
  }

  /** A column compared with a text. */
  #comparedWith({ text, at }: Token, relation: Relation, other: Value | Token): Value {
    const column = 'text' in other || other.kind !== 'column' ? undefined : other.column
    if (!TEXT_RELATIONS.includes(relation) || !column || !isPlain(column))
      throw this.#fault(
        at,
        column?.filled === undefined
          ? 'a text is compared with a column, by = or !='
          : `fill what was compared: ${FILLED}(${column.name} ${relation} ${text}, 0)`,
      )
    const compared = { relation: relation as TextRelation, text: text.slice(1, -1).replaceAll("''", "'") }
    return { kind: 'column', column: { ...column, compared } }
  }

  #sum(): Value {
    let value = this.#product()
    for (let sign = this.#take('+', '-'); sign !== undefined; sign = this.#take('+', '-'))
      value = operation(sign as Operator, value, this.#product())
    return value
  }

  #product(): Value {
    let value = this.#signed()
    for (let sign = this.#take('*', '/'); sign !== undefined; sign = this.#take('*', '/'))
      value = operation(sign as Operator, value, this.#signed())
    return value
  }

  #signed(): Value {
    const sign = this.#take('+', '-')
    if (sign === undefined) return this.#single()
    const value = this.#signed()
    return sign === '-' ? operation('-', constant(0), value) : value
  }

  #single(): Value {
    const { kind, text, at } = this.#token
    if (this.#take('(')) return this.#closed(this.#comparison(), at)
    if (kind !== 'number' && kind !== 'name' && kind !== 'quoted')
      throw this.#unexpected('a number, a column or a parenthesis')
    this.#next++
    if (kind === 'number') return constant(Number(text))
    const opening = this.#token.at
    if (kind === 'name' && this.#take('(')) return this.#call(text, at, opening)
    const name = kind === 'quoted' ? text.slice(1, -1).replaceAll('""', '"') : text
    const place = { from: at, to: at + text.length }
    return { kind: 'column', column: { name, comma: false, percent: false, ...place } }
  }

  #call(name: string, at: number, opening: number): Value {
    if (!FUNCTIONS.includes(name)) throw this.#noFunction(name, at)
    const [first, ...others] = this.#arguments(opening)
    if (SEVERAL_NUMBERS.includes(name)) {
      if (others.length === 0) throw this.#fault(opening, `${name} takes two numbers or more`)
      return others.reduce((value, other) => operation(name as Operator, value, other), first)
    }
    if (name === FILLED) return this.#filled(first, others, opening)
    if (others.length > 0) throw this.#fault(opening, `${name} takes one number`)
    if (ONE_NUMBER.includes(name)) return { kind: 'function', name: name as FunctionName, of: first }
    if (first.kind !== 'column' || first.column.compared)
      throw this.#fault(opening, `${name} takes the name of a column`)
    return { kind: 'column', column: { ...first.column, [name]: true } }
  }

  #filled(first: Value, [by, ...others]: readonly Value[], opening: number): Value {
    if (first.kind !== 'column' || !by || others.length > 0 || namedIn(by).length > 0)
      throw this.#fault(
        opening,
        `${FILLED} takes the name of a column, and the number that an empty cell counts as`,
      )
    return {
      kind: 'column',
      column: { ...first.column, filled: computeValue(by, () => undefined)(undefined) },
    }
  }

  #arguments(opening: number): [Value, ...Value[]] {
    const values: [Value, ...Value[]] = [this.#comparison()]
    while (this.#take(',')) values.push(this.#comparison())
    this.#closed(values[0], opening)
    return values
  }

  /** The value, once the parenthesis that was opened there is closed. */
  #closed(value: Value, opening: number): Value {
    if (this.#take(')')) return value
    if (this.#token.kind === 'end') throw this.#fault(opening, 'the parenthesis is not closed')
    throw this.#unexpected('an operator or a closing parenthesis')
  }

  #noFunction(name: string, at: number): HindcastError {
    const meant = suggest(name, FUNCTIONS)
    return this.#fault(at, `there is no function ${name}${meant ? `; did you mean ${meant}?` : ''}`)
  }

  #unexpected(wanted: string): HindcastError {
    const { kind, text, at } = this.#token
    return this.#fault(
      at,
      kind === 'end' ? `${wanted} is missing at the end` : `expected ${wanted}, not ${JSON.stringify(text)}`,
    )
  }

  #fault(at: number, what: string): HindcastError {
    return new HindcastError(
      'bad-option',
      `${this.#meaning}=${this.#text} cannot be read: character ${at + 1}: ${what}${/[.?]$/.test(what) ? '' : '.'}`,
      { remedy: LANGUAGE },
    )
  }
}

const isPlain = ({ comma, percent, compared, filled }: CellColumn): boolean =>
  !comma && !percent && !compared && filled === undefined

const constant = (value: number): Value => ({ kind: 'number', value })
const operation = (operator: Operator, left: Value, right: Value): Value => ({
  kind: 'operation',
  operator,
  left,
  right,
})
