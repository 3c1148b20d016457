import { type Advice, advice, set } from '../../advice.js'
import { cellNumber } from '../cell.js'
import { nameText } from './value.js'

/** A scale other than probabilities in which propensities are written, and the value that reads it. */
interface Scale {
  readonly label: string
  readonly value: (column: string) => string
}

const LOGARITHMS: Scale = { label: 'natural logarithms', value: (column) => `exp(${column})` }
const PERCENTAGES: Scale = { label: 'percentages', value: (column) => `${column} / 100` }
const INVERSES: Scale = { label: 'inverse propensities', value: (column) => `1 / ${column}` }

/** How a column that is called by its scale is read as propensities; undefined where its name speaks of none. */
export function scaleByName(name: string): string | undefined {
  if (/log_?-?p(rob|rop|score)?/i.test(name)) return LOGARITHMS.value(nameText(name))
  if (/(^|_)(ipw|ips)|inv(erse)?_?p/i.test(name)) return INVERSES.value(nameText(name))
  return /p(er)?ce?nt|pct/i.test(name) ? PERCENTAGES.value(nameText(name)) : undefined
}

/** What to do about propensities outside (0, 1], if all of them seem to be on one other scale; else undefined. */
export function scaleRemedy(name: string, values: readonly (string | undefined)[]): Advice | undefined {
  const texts = values.map((value) => value ?? '')
  if (texts.every((text) => FRACTION.test(text)))
    return advice`The propensities are written as fractions, such as ${JSON.stringify(texts[0])}. Write each as one number, such as 0.05 for 1 in 20.`
  const scales = scalesOf(texts.map(cellNumber))
  if (scales.length === 0) return undefined
  const uses = scales.map(
    ({ label, value }) =>
      advice`if they are ${label}, use ${set('columns', `propensity=${value(nameText(name))}`)}`,
  )
  return uses.flatMap((use, k) => [k === 0 ? 'These are not probabilities: ' : '; ', ...use]).concat('.')
}

const FRACTION = /^\s*\d+\s*(?:\/|:|in|out of)\s*\d+\s*$/i

function scalesOf(numbers: readonly number[]): readonly Scale[] {
  if (numbers.every((number) => number < 0)) return [LOGARITHMS]
  if (!numbers.every((number) => number > 1)) return []
  return numbers.some((number) => number > 100) ? [INVERSES] : [PERCENTAGES, INVERSES]
}
