import { advice, set } from '../advice.js'
import type { Log } from '../log/log.js'
import { countDistinct } from '../log/row-groups.js'
import { counted, formatCount, formatShare, verb } from '../number-text.js'
import { exp, log as naturalLog } from '../portable-math.js'
import { type Check, type Examination, figure, type Finding, matchingRows, revalued } from './finding.js'

type Scale = 'probabilities' | 'log-probabilities' | 'inverse-propensities' | 'percentages'

/** Finds propensities written as logarithms, inverses or percentages, and single values outside (0, 1]. */
export const checkPropensityScale: Check = (examination) => {
  const { log } = examination
  if (log.propensitySource === 'none' || !log.propensity) return []
  const summary = summarise(log, log.propensity)
  const scale = guessScale(summary)
  const findings = scale === 'probabilities' ? [] : [wholeColumn(examination, log.propensity, scale, summary)]
  return [...findings, ...strays(log, log.propensity, scale, summary)]
}

interface Summary {
  readonly finite: number
  readonly negative: number
  readonly zero: number
  readonly above: number
  readonly min: number
  readonly max: number
  readonly items: number
  /**
   * Mean of 1/b over the rows if the values are b, 100·b or 1/b; close to the number of items for the right
   * reading.
   */
  readonly meanInverse: { readonly asIs: number; readonly percent: number; readonly inverse: number }
}

function summarise(log: Log, propensity: Float64Array): Summary {
  let [finite, negative, zero, above, min, max] = [0, 0, 0, 0, Infinity, -Infinity]
  let [within, inverseWithin, inversePositive, positiveSum] = [0, 0, 0, 0]
  for (let k = 0; k < log.rows; k++) {
    const b = propensity[k]!
    if (!Number.isFinite(b)) continue
    finite++
    if (b < min) min = b
    if (b > max) max = b
    if (b < 0) negative++
    else if (b === 0) zero++
    else {
      positiveSum += b
      inversePositive += 1 / b
      if (b > 1) above++
      else {
        within++
        inverseWithin += 1 / b
      }
    }
  }
  const positive = above + within
  const meanInverse = {
    asIs: inverseWithin / within,
    percent: (100 * inversePositive) / positive,
    inverse: positiveSum / positive,
  }
  return {
    finite,
    negative,
    zero,
    above,
    min,
    max,
    items: countDistinct(log.item, log.itemIds.length),
    meanInverse,
  }
}

function guessScale({ finite, negative, zero, above, min, max, items, meanInverse }: Summary): Scale {
  const positive = finite - negative - zero
  if (negative > 0 && positive <= 0.01 * finite) {
    // One negative value in all rows is the logarithm of a uniform draw only if its items can share it; −1
    // is not.
    const constant = min === max
    return constant && exp(min) > 1.001 / items ? 'probabilities' : 'log-probabilities'
  }
  if (above === 0 || negative + zero > 0.05 * finite) return 'probabilities'
  const distance = (mean: number): number => (mean > 0 ? Math.abs(naturalLog(mean / items)) : Infinity)
  const asIs = distance(meanInverse.asIs)
  const asPercent = max <= 100 ? distance(meanInverse.percent) : Infinity
  const asInverse = min >= 1 ? distance(meanInverse.inverse) : Infinity
  if (asPercent === Infinity && asInverse === Infinity) return 'probabilities'
  if (asInverse < Infinity) return asInverse <= asPercent ? 'inverse-propensities' : 'percentages'
  // Items above 1 % fill more than 1 % of the rows, so a handful of values above 1 are outliers.
  const share = above / positive
  if (share >= 0.5) return 'percentages'
  return share > 0.01 && asPercent < asIs && meanInverse.asIs < items / 2 ? 'percentages' : 'probabilities'
}

function wholeColumn(
  examination: Examination,
  propensity: Float64Array,
  scale: Scale,
  summary: Summary,
): Finding {
  const { log } = examination
  const { min, max, items, meanInverse, negative, above } = summary
  const range = `from ${figure(min)} to ${figure(max)}`
  const base = { code: scale, level: 'problem', column: 'propensity' } as const
  if (scale === 'log-probabilities') {
    const { rows } = matchingRows(log.rows, (k) => propensity[k]! < 0)
    const natural = revalued(examination, 'propensity', (p) => `exp(${bare(p)})`)
    const decimal = revalued(examination, 'propensity', (p) => `exp(${Math.LN10} * ${p})`)
    return {
      ...base,
      seen: `${formatCount(negative)} of ${counted(log.rows, 'propensity', 'propensities')} ${verb(negative, 'is', 'are')} negative; the column ranges ${range}.`,
      why: 'Probabilities are never negative: these are logarithms. Importance weights divide by the propensity, so every weight would have the wrong sign and size.',
      remedy: advice`Take the exponential with ${natural.setting}; if the logarithms are base 10, with ${decimal.setting}.`,
      mend: natural.mend,
      numbers: { negative, rows: log.rows, smallest: min, largest: max },
      rows,
    }
  }
  const { rows } = matchingRows(log.rows, (k) => propensity[k]! > 1)
  const inverse = scale === 'inverse-propensities'
  const mean = inverse ? meanInverse.inverse : meanInverse.percent
  const changed = revalued(examination, 'propensity', (p) => (inverse ? `1 / ${p}` : `${p} / 100`))
  const reading = inverse ? 'Read as 1/propensity' : 'Read as percentages'
  return {
    ...base,
    seen: `Propensities range ${range}; ${counted(above, 'row')} (${formatShare(above / log.rows)}) ${verb(above, 'is', 'are')} above 1. ${reading}, they imply about ${figure(mean)} items; the log shows ${formatCount(items)}.`,
    why: inverse
      ? 'These are inverse propensities (importance weights): dividing by them again would favour the items shown most.'
      : 'Read as probabilities, they would make every importance weight a hundred times too small.',
    remedy: advice`${inverse ? 'Invert them with' : 'Divide by 100 with'} ${changed.setting}.`,
    mend: changed.mend,
    numbers: { smallest: min, largest: max, above, rows: log.rows, items, meanInverse: mean },
    rows,
  }
}

/** A value without the parentheses around it. */
const bare = (value: string): string => value.replace(/^\((.*)\)$/, '$1')

function strays(
  log: Log,
  propensity: Float64Array,
  scale: Scale,
  { negative, zero, above, finite }: Summary,
): Finding[] {
  const allowed: Record<Scale, (value: number) => boolean> = {
    probabilities: (b) => b > 0 && b <= 1,
    'log-probabilities': (b) => b <= 0 && b > -Infinity,
    'inverse-propensities': (b) => b >= 1 && b < Infinity,
    percentages: (b) => b > 0 && b <= 100,
  }
  const outside = matchingRows(log.rows, (k) => !allowed[scale](propensity[k]!))
  if (outside.count === 0) return []
  const unreadable = log.rows - finite
  const kinds: [number, string][] = [[unreadable, 'missing or unreadable']]
  if (scale !== 'log-probabilities') kinds.push([zero, 'zero'], [negative, 'negative'])
  if (scale === 'probabilities') kinds.push([above, 'above 1'])
  if (scale === 'log-probabilities') kinds.push([outside.count - unreadable, 'positive among logarithms'])
  const parts = kinds
    .filter(([number]) => number > 0)
    .map(([number, kind]) => `${formatCount(number)} ${kind}`)
  return [
    {
      code: 'propensity-outside-range',
      level: 'problem',
      column: 'propensity',
      seen: `${counted(outside.count, 'propensity', 'propensities')} (${formatShare(outside.count / log.rows)} of the rows) cannot be ${outside.count === 1 ? 'a probability' : 'probabilities'}: ${parts.join(', ')}.`,
      why: 'An item that was shown had a probability above 0 and at most 1. A zero gives an infinite weight, and one wrong value can carry most of the total weight.',
      remedy:
        above > 0 && scale === 'probabilities'
          ? 'Look these rows up in the logger and correct them, or leave them out and say so. If the whole column is in percent, divide by 100; if it holds 1/propensity, invert it.'
          : 'Look these rows up in the logger and correct them, or leave them out and say so; do not replace them with a small number.',
      numbers: { outside: outside.count, rows: log.rows, unreadable, zero, negative, above },
      rows: outside.rows,
    },
  ]
}

/** Catalogues are taken to have at least this many items, so that unseen ones do not matter. */
const ITEMS = 10_000
/** How many such rows in a log are too few to believe in. */
const EXPECTED = 1e-6

/**
 * Finds propensities so small that no row should have one: of n rows and K items, rows with a propensity of at
 * most x are expected at most n·K·x times. A propensity of 1e-200 is an underflow or a placeholder.
 */
export const checkTinyPropensity: Check = ({ log }) => {
  const propensity = soundPropensity(log)
  if (!propensity) return []
  const limit = EXPECTED / (log.rows * Math.max(ITEMS, log.itemIds.length))
  const tiny = matchingRows(log.rows, (k) => propensity[k]! < limit)
  if (tiny.count === 0) return []
  let smallest = 1
  for (let k = 0; k < log.rows; k++) if (propensity[k]! < smallest) smallest = propensity[k]!
  return [
    {
      code: 'propensity-tiny',
      level: 'problem',
      column: 'propensity',
      seen: `${counted(tiny.count, 'row')} ${verb(tiny.count, 'has', 'have')} an implausibly small propensity: the smallest is ${figure(smallest)}.`,
      why: 'An item with such a probability would not be shown once in a million logs of this size. Its importance weight would outweigh all other rows, or be infinite.',
      remedy:
        'Look these rows up in the logger: the value may have underflowed or be a placeholder. Correct them or leave them out, and say so.',
      numbers: { tiny: tiny.count, smallest, limit },
      rows: tiny.rows,
    },
  ]
}

/**
 * Finds a propensity that is the same on every row, and too large to be that of items which were shown in turn: two of
 * them cannot both have more than half. On a page they can.
 */
export const checkConstantPropensity: Check = ({ log }) => {
  const propensity = soundPropensity(log)
  const value = propensity?.[0]
  if (!propensity || !(value! > 0.5) || log.slate || log.position) return []
  if (propensity.some((b) => Math.abs(b - value!) > 1e-9)) return []
  const items = countDistinct(log.item, log.itemIds.length)
  const shown = new Int32Array(log.userIds.length).fill(-1)
  const other = matchingRows(log.rows, (k) => {
    const user = log.user[k]!
    if (shown[user] === -1) shown[user] = log.item[k]!
    return shown[user] !== log.item[k]
  })
  if (other.count === 0) return []
  return [
    {
      code: 'propensity-constant',
      level: 'problem',
      column: 'propensity',
      seen: `All ${counted(log.rows, 'row')} have propensity ${figure(value!)}, although users were shown different items, ${formatCount(items)} in all.`,
      why: 'This looks like a placeholder, not the probability of a draw. With it, every importance weight is wrong and nothing is corrected.',
      remedy: advice`Choose the column of logged probabilities with ${set('columns', 'propensity=…')}; if there is none, read the log without propensities and estimate them.`,
      numbers: { propensity: value!, items },
      rows: other.rows,
    },
  ]
}

/** The logged propensities when every one of them is a probability in (0, 1]; undefined otherwise. */
export function soundPropensity(log: Log): Float64Array | undefined {
  if (log.propensitySource !== 'logged' || !log.propensity) return undefined
  for (let k = 0; k < log.rows; k++)
    if (!(log.propensity[k]! > 0 && log.propensity[k]! <= 1)) return undefined
  return log.propensity
}
