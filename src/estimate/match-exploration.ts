import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import { contextColumn } from '../log/contexts.js'
import type { Log } from '../log/log.js'
import { countRows } from '../log/row-groups.js'
import { formatShare } from '../number-text.js'
import type { Policy, PolicyFamily } from '../policy/policy.js'
import {
  type AskedRule,
  isMatched,
  type MatchedRule,
  ruledName,
  scoreRuleText,
  withoutRule,
} from '../policy/score-rule.js'
import { log as naturalLog, pow } from '../portable-math.js'
import { forEachContext } from './target.js'

/** A policy at the temperature at which it explores as much as was asked. */
export interface MatchedPolicy {
  readonly policy: Policy
  readonly temperature: number
  /** One sentence for the user: the temperature that was found. */
  readonly note: string
}

/** Exploration as a function of the temperature. */
type Measure = (temperature: number) => number

/** What a search sees: a temperature and the exploration there. */
interface Rung {
  readonly temperature: number
  readonly reached: number
}

/** Above so many probabilities, the temperature is found from every k-th context of the log: a search asks for them dozens of times. */
const MOST_PROBABILITIES = 1e8

/** Contexts whose entropy says on which scale the scores are. */
const SCALE_CONTEXTS = 200

/** A ladder of temperatures, in powers of 2 of the scale of the scores: from the best item alone to all alike. */
const [LOWEST, HIGHEST] = [-14, 14]

/** The search ends when the exploration is met to this share of it. */
const CLOSE = 1e-7

/**
 * The policy at the temperature at which it explores as much as a rule asks: an effective sample size on the log, as a share
 * of its rows, or a mean entropy, as a share of log(items of the log). Rewards are never looked at: scores, items shown and
 * propensities decide.
 *
 * Entropy rises with the temperature; the effective sample size often does, but may rise and fall, so that several temperatures
 * can have the same. A ladder of temperatures is climbed from the sharpest; the first step that crosses the share from
 * below is searched, or the first from above where there is none: continuity promises a solution inside. The ladder
 * is in units of the scores' own scale, so that scores times ten give the same policy.
 */
export function matchExploration(family: PolicyFamily, rule: MatchedRule, log: Log): MatchedPolicy {
  const softmaxAt = (temperature: number): Policy => family.by({ kind: 'softmax', temperature })
  const name = ruledName(withoutRule(softmaxAt(1).name), rule)
  const measure = measureOf(softmaxAt, rule, log)
  const found = search(measure, scaleOfScores(family, log), rule.share)
  if (!found.isReached) throw unreachable(name, rule, found)
  const { temperature } = found
  const at = Number(temperature.toPrecision(4))
  return {
    policy: {
      ...softmaxAt(temperature),
      name,
      ruled: { rule, temperature, by: (other) => family.by(other) },
    },
    temperature,
    note: `${name}: the temperature is ${at}, at which ${MEANING[rule.kind]} is ${formatShare(rule.share)}. It was chosen without looking at rewards.`,
  }
}

/** The policy that follows scores by a rule, with what is to be known about it: an amount of exploration needs the log. */
export function policyBy(
  family: PolicyFamily,
  rule: AskedRule,
  log: Log,
): { readonly policy: Policy; readonly notes: readonly string[] } {
  if (!isMatched(rule)) return { policy: family.by(rule), notes: [] }
  const { policy, note } = matchExploration(family, rule, log)
  return { policy, notes: [note] }
}

const MEANING = {
  ess: 'the effective sample size as a share of the rows',
  entropy: 'the mean entropy as a share of the largest possible',
} as const

function measureOf(at: (temperature: number) => Policy, { kind }: MatchedRule, log: Log): Measure {
  const items = log.itemIds.length
  const most = Math.max(1, Math.floor(MOST_PROBABILITIES / items))
  if (kind === 'ess') return (temperature) => essShare(log, at(temperature), most)
  if (items < 2) return () => 0
  return (temperature) => meanEntropy(log, at(temperature), most) / naturalLog(items)
}

/** (Σw)²/(n Σw²) of the weights π/b, as the diagnostics have it; from every k-th context where there are more than `most`. */
export function essShare(log: Log, policy: Policy, most = Infinity): number {
  const { propensity, item, weight } = log
  if (!propensity)
    throw new HindcastError('missing-propensity', 'The log has no propensities, so no policy has an effective sample size on it.', {
      remedy: advice`Log them, or choose what to assume with ${set('propensity')}.`,
    }) // prettier-ignore
  let contexts = 0
  forEachContext(log, () => contexts++)
  const step = Math.max(1, Math.ceil(contexts / most))
  let [place, count, sum, squares] = [0, 0, 0, 0]
  forEachContext(log, (context, rows) => {
    if (place++ % step !== 0) return
    const pi = policy.followsLogging?.(context) ? undefined : policy.probabilities(context)
    for (const row of rows) {
      const times = weight?.[row] ?? 1
      const ratio = pi ? pi[item[row]!]! / propensity[row]! : 1
      count += times
      sum += times * ratio
      squares += times * ratio * ratio
    }
  })
  return squares > 0 ? (sum * sum) / (count * squares) : 0
}

/** The temperature at which the mean entropy lies halfway between its limits: in proportion to the scores, whatever their size. */
export function scaleOfScores(family: PolicyFamily, log: Log): number {
  const entropy = (power: number): number =>
    meanEntropy(log, family.by({ kind: 'softmax', temperature: pow(2, power) }), SCALE_CONTEXTS)
  let [low, high] = [-200, 200]
  const half = (entropy(low) + entropy(high)) / 2
  for (let k = 0; k < 40; k++) {
    const middle = (low + high) / 2
    if (entropy(middle) < half) low = middle
    else high = middle
  }
  return pow(2, high)
}

type Found = { readonly isReached: true; readonly temperature: number } | { readonly isReached: false; readonly least: number; readonly most: number } // prettier-ignore

function search(measure: Measure, scale: number, share: number): Found {
  const rungs: Rung[] = []
  for (let power = LOWEST; power <= HIGHEST; power++) {
    const temperature = scale * pow(2, power)
    rungs.push({ temperature, reached: measure(temperature) })
    const [below, above] = rungs.slice(-2)
    if (above && below!.reached < share && above.reached >= share)
      return { isReached: true, temperature: between(measure, below!, above, share) }
  }
  const down = rungs.findIndex(
    ({ reached }, k) => reached >= share && (rungs[k + 1]?.reached ?? share) < share,
  )
  if (down >= 0)
    return { isReached: true, temperature: between(measure, rungs[down + 1]!, rungs[down]!, share) }
  const reached = rungs.map((rung) => rung.reached)
  return { isReached: false, least: Math.min(...reached), most: Math.max(...reached) }
}

/** Halves the ratio of two temperatures, of which one explores less than the share and the other does not, until it is met. */
function between(measure: Measure, below: Rung, above: Rung, share: number): number {
  let [low, high] = [below, above]
  for (let k = 0; k < 60 && Math.abs(high.reached / share - 1) > CLOSE; k++) {
    const temperature = Math.sqrt(low.temperature * high.temperature)
    const middle = { temperature, reached: measure(temperature) }
    if (middle.reached < share) low = middle
    else high = middle
  }
  return high.temperature
}

function unreachable(
  name: string,
  rule: MatchedRule,
  { least, most }: { readonly least: number; readonly most: number },
): HindcastError {
  const isAbove = rule.share > most
  return new HindcastError(
    'bad-option',
    `${name}: ${MEANING[rule.kind]} is ${isAbove ? 'never more than' : 'never less than'} ${formatShare(isAbove ? most : least)} on this log, at any temperature.`,
    {
      remedy: `Instead of ${scoreRuleText(rule)}, ask for a ${isAbove ? 'smaller' : 'larger'} share, or choose another rule.`,
    },
  )
}

/** −Σ p log p of one distribution, in nats; what lies outside the items counts as one further item. */
function entropyOf(probabilities: Float64Array, outside = 0): number {
  let entropy = outside > 0 ? -outside * naturalLog(outside) : 0
  for (let item = 0; item < probabilities.length; item++) {
    const p = probabilities[item]!
    if (p > 0) entropy -= p * naturalLog(p)
  }
  return entropy
}

/**
 * The mean entropy of a policy over the impressions of a log, in nats, from every k-th context that has rows, `most` of them
 * at the most. Contexts in which it does what the logging policy does are left out; 0 where there are no others.
 */
export function meanEntropy(log: Log, policy: Policy, most: number): number {
  const { index, count } = contextColumn(log)
  const rows = countRows(index, count)
  const seen = Uint32Array.from(rows.keys()).filter(
    (context) => rows[context]! > 0 && !policy.followsLogging?.(context),
  )
  const step = Math.max(1, Math.ceil(seen.length / most))
  let [total, weight] = [0, 0]
  for (let k = 0; k < seen.length; k += step) {
    const context = seen[k]!
    total += rows[context]! * entropyOf(policy.probabilities(context), policy.outside?.(context))
    weight += rows[context]!
  }
  return weight === 0 ? 0 : total / weight
}
