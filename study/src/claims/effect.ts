import { portableMath } from 'hindcast'
import { overSeeds } from '../statistics/over-seeds.js'
import type { Claim, ClaimEffect, ClaimVerdict, Interval, OverSeeds } from '../results.js'

/** What a claim says of a number. */
export type Expected = ClaimEffect['expected']
export const above = (than: number): Expected => ({ kind: 'above', than })
export const below = (than: number): Expected => ({ kind: 'below', than })
export const within = (low: number, high: number): Expected => ({ kind: 'within', range: [low, high] })

/** A number with what was expected of it. It agrees, or does not, where its whole interval says so. */
export function effectOf(
  label: string,
  { value, interval, seeds }: { value: number | null; interval: Interval | null; seeds: number },
  unit: string,
  expected: Expected,
): ClaimEffect {
  return { label, value, interval, unit, seeds, expected, agrees: agreementOf(interval, expected) }
}

/** The same for a number that was measured once per seed. */
export const effectOver = (
  label: string,
  measured: OverSeeds,
  unit: string,
  expected: Expected,
): ClaimEffect =>
  effectOf(
    label,
    {
      value: measured.mean,
      interval: measured.interval,
      seeds: measured.values.filter((value) => value !== null).length,
    },
    unit,
    expected,
  )

/** The same for ratios: their geometric mean, its interval from their logarithms. */
export function ratioOver(label: string, measured: OverSeeds, unit: string, expected: Expected): ClaimEffect {
  const logs = overSeeds(
    measured.values.map((value) => (value === null || !(value > 0) ? null : portableMath.log(value))),
  )
  return effectOver(
    label,
    {
      values: measured.values,
      mean: logs.mean === null ? null : portableMath.exp(logs.mean),
      interval: logs.interval && [portableMath.exp(logs.interval[0]), portableMath.exp(logs.interval[1])],
    },
    unit,
    expected,
  )
}

function agreementOf(interval: Interval | null, expected: Expected): ClaimEffect['agrees'] {
  if (interval === null) return 'unclear'
  const [low, high] = interval
  if (expected.kind === 'within') {
    const [from, to] = expected.range
    if (low >= from && high <= to) return 'yes'
    return high < from || low > to ? 'no' : 'unclear'
  }
  const { kind, than } = expected
  // Where both sides of a comparison are the same number, it says neither.
  if (kind === 'above') return low > than ? 'yes' : high < than ? 'no' : 'unclear'
  return high < than ? 'yes' : low > than ? 'no' : 'unclear'
}

/**
 * One verdict from several effects: `depends` where some agree and some disagree; `does not hold` where some
 * disagree and none agrees; `holds` where the first, which is the paper's own reading, agrees and none disagrees;
 * else undecided.
 */
export function verdictOf(effects: readonly ClaimEffect[]): ClaimVerdict {
  const says = (answer: ClaimEffect['agrees']): boolean => effects.some(({ agrees }) => agrees === answer)
  if (says('no')) return says('yes') ? 'depends' : 'does not hold'
  return effects[0]?.agrees === 'yes' ? 'holds' : 'undecided'
}

/** A claim with its verdict, from its effects alone. */
export function claimOf(
  { id, claim, test }: Pick<Claim, 'id' | 'claim' | 'test'>,
  effects: readonly ClaimEffect[],
  comment: Readonly<Record<ClaimVerdict, string>>,
): Claim {
  const verdict = verdictOf(effects)
  const agreeing = effects.filter(({ agrees }) => agrees === 'yes')
  return {
    id,
    claim,
    test,
    verdict,
    effects,
    explanation: `${comment[verdict]} ${decidingEffects({ effects, verdict }).map(effectText).join('; ')}.`,
    holdsWhen:
      verdict === 'holds' || agreeing.length === 0
        ? null
        : `It holds here: ${agreeing.map(({ label }) => label).join('; ')}.`,
  }
}

/** The effects a verdict rests on: the first that agrees and the first that does not, or the first of all. */
export function decidingEffects({ effects, verdict }: Pick<Claim, 'effects' | 'verdict'>): ClaimEffect[] {
  const first = (answer: ClaimEffect['agrees']): ClaimEffect[] =>
    effects.filter(({ agrees }) => agrees === answer).slice(0, 1)
  if (verdict === 'depends') return [...first('yes'), ...first('no')]
  return verdict === 'does not hold' ? first('no') : effects.slice(0, 1)
}

/** `SNIPS over IPS, toy world: 0.72 (0.69 to 0.75) ratio of variances` */
export function effectText({ label, value, interval, unit }: ClaimEffect): string {
  const number = value === null ? 'unknown' : digits(value)
  const range = interval === null ? '' : ` (${digits(interval[0])} to ${digits(interval[1])})`
  return `${capital(label)}: ${number}${range} ${unit}`
}

/** Three significant digits; a minus sign as in print. */
const digits = (value: number): string => String(Number(value.toPrecision(3))).replace('-', '−')

const capital = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`
