import type { Operator, Relation } from '../../expression.js'
import type { CellColumn, Value } from '../../log/values/value.js'
import { quoted } from '../../sql/dialect.js'
import { duckdb } from '../../sql/dialects/duckdb.js'

const { number } = duckdb

/** ln 2 in two parts, and the divisors of the series, as in `portable-math.ts`: the same operations give the same bits. */
const LN2_HIGH = 0.6931471803691238
const LN2_LOW = 1.9082149292705877e-10
const FACTORIALS = [6227020800, 479001600, 39916800, 3628800, 362880, 40320, 5040, 720, 120, 24, 6, 2]
const ODD_NUMBERS = [23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3]

/**
 * Values computed by DuckDB with the bits of `computeValue`. Each step is a column of its own, in a SELECT around those
 * before: what a step names more than once is computed once. A step is a finite number, or NULL where there is none.
 */
export class ValueSteps {
  readonly #prefix: string
  readonly #columnNumber: (column: CellColumn) => string
  readonly #steps: string[] = []

  /** `names`: the columns that the relation has already; `columnNumber`: the number of a cell, NaN if there is none. */
  constructor(names: readonly string[], columnNumber: (column: CellColumn) => string) {
    let prefix = 'value'
    while (names.some((name) => name.toLowerCase().startsWith(`${prefix} `))) prefix += '_'
    this.#prefix = prefix
    this.#columnNumber = columnNumber
  }

  /** The relation with a column for each step. */
  around(from: string): string {
    return this.#steps.reduce((inner, step) => `(SELECT *, ${step} FROM ${inner})`, from)
  }

  /** Adds the steps of a value, and gives it as an expression over the relation: a double, NaN if there is none. */
  add(value: Value): string {
    return `coalesce(${this.#valueOf(value)}, 'nan'::DOUBLE)`
  }

  #step(sql: string): string {
    const name = quoted(`${this.#prefix} ${this.#steps.length}`)
    this.#steps.push(`${sql} AS ${name}`)
    return name
  }

  #finite(sql: string): string {
    const result = this.#step(sql)
    return this.#step(`CASE WHEN isfinite(${result}) THEN ${result} END`)
  }

  #valueOf(value: Value): string {
    switch (value.kind) {
      case 'number':
        return number(value.value)
      case 'column':
        return this.#finite(this.#columnNumber(value.column))
      case 'operation':
        return this.#operation(value.operator, this.#valueOf(value.left), this.#valueOf(value.right))
      case 'function':
        return value.name === 'exp' ? this.#exp(this.#valueOf(value.of)) : this.#log(this.#valueOf(value.of))
      case 'case': {
        const [left, right] = [this.#valueOf(value.left), this.#valueOf(value.right)]
        const [then, otherwise] = [this.#valueOf(value.value), this.#valueOf(value.otherwise)]
        const condition = `${left} ${SQL_RELATIONS[value.relation]} ${right}`
        return this.#step(`CASE WHEN ${condition} THEN ${then} WHEN NOT (${condition}) THEN ${otherwise} END`)
      }
    }
  }

  #operation(operator: Operator, left: string, right: string): string {
    switch (operator) {
      case 'min':
        return this.#step(
          `CASE WHEN ${left} <= ${right} THEN ${left} WHEN ${right} < ${left} THEN ${right} END`,
        )
      case 'max':
        return this.#step(
          `CASE WHEN ${left} >= ${right} THEN ${left} WHEN ${right} > ${left} THEN ${right} END`,
        )
      case '/':
        return this.#finite(`CASE WHEN ${right} <> ${number(0)} THEN ${left} / ${right} END`)
      default:
        return this.#finite(`${left} ${operator} ${right}`)
    }
  }

  /** eˣ: x = k·ln 2 + r, the exponential series of r, times 2ᵏ in two steps. */
  #exp(argument: string): string {
    const x = this.#step(
      `CASE WHEN ${argument} <= ${number(709.782712893384)} AND ${argument} >= ${number(-745.1332191019412)} THEN ${argument} END`,
    )
    const quotient = this.#step(`${x} / ${number(Math.LN2)}`)
    const whole = this.#step(`floor(${quotient})`)
    const k = this.#step(
      `CASE WHEN ${quotient} - ${whole} >= ${number(0.5)} THEN ${whole} + ${number(1)} ELSE ${whole} END`,
    )
    const r = this.#step(`${x} - ${k} * ${number(LN2_HIGH)} - ${k} * ${number(LN2_LOW)}`)
    const [first, ...others] = FACTORIALS.map((divisor) => number(1 / divisor)) as [string, ...string[]]
    const series = others.reduce((sum, term) => `(${sum} * ${r} + ${term})`, first)
    const scaled = this.#step(`(${series} * ${r} + ${number(1)}) * ${r} + ${number(1)}`)
    const half = this.#step(`trunc(${k} / ${number(2)})`)
    const power = (exponent: string): string => `pow(${number(2)}, ${exponent})`
    const result = this.#step(`${scaled} * ${power(half)} * ${power(`${k} - ${half}`)}`)
    return this.#finite(
      `CASE WHEN ${argument} < ${number(-745.1332191019412)} THEN ${number(0)} ELSE ${result} END`,
    )
  }

  /** ln x: x = m·2ᵏ with m near 1, and ln m as a series in s = (m − 1)/(m + 1). */
  #log(argument: string): string {
    const x = this.#step(`CASE WHEN ${argument} > ${number(0)} THEN ${argument} END`)
    const isTiny = `${x} < ${number(2.2250738585072014e-308)}`
    const scaled = this.#step(`CASE WHEN ${isTiny} THEN ${x} * ${number(2 ** 52)} ELSE ${x} END`)
    // Off by one at worst: the same m and k follow, since m is halved where it is beyond √2.
    const exponent = this.#step(`floor(log2(${scaled}))`)
    const mantissa = this.#step(`${scaled} * pow(${number(2)}, -${exponent})`)
    const isLarge = `${mantissa} >= ${number(2 * Math.SQRT1_2)}`
    const m = this.#step(`CASE WHEN ${isLarge} THEN ${mantissa} / ${number(2)} ELSE ${mantissa} END`)
    const k = this.#step(
      `${exponent} + CASE WHEN ${isLarge} THEN ${number(1)} ELSE ${number(0)} END - CASE WHEN ${isTiny} THEN ${number(52)} ELSE ${number(0)} END`,
    )
    const s = this.#step(`(${m} - ${number(1)}) / (${m} + ${number(1)})`)
    const square = this.#step(`${s} * ${s}`)
    const [first, ...others] = ODD_NUMBERS.map((divisor) => number(1 / divisor)) as [string, ...string[]]
    const series = others.reduce((sum, term) => `((${sum} + ${term}) * ${square})`, `(${first} * ${square})`)
    return this.#finite(
      `${k} * ${number(LN2_HIGH)} + (${k} * ${number(LN2_LOW)} + ${number(2)} * (${s} + ${s} * ${series}))`,
    )
  }
}

const SQL_RELATIONS: Readonly<Record<Relation, string>> = {
  '=': '=',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
}
