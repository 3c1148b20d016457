import type { Log } from '../log/log.js'
import { counted } from '../number-text.js'
import { exp } from '../portable-math.js'
import { essShare } from './match-exploration.js'
import { meanEntropy } from './policy-entropy.js'
import type { Target } from './target.js'
import type { Complaint } from './verdict.js'

/** Policies that spread over so many times as many items as another do not explore equally. */
const UNEQUAL = 1.5

/** Contexts from which the spread of a policy is measured: it need not be known to many digits. */
const CONTEXTS = 500

/** How far the softmax of a model's scores spreads over the items, at a temperature that was given. */
interface Spread {
  readonly name: string
  /** The name without its temperature: the scores it follows. */
  readonly scores: string
  readonly temperature: number
  /** exp(mean entropy): as if it showed so many items equally often. */
  readonly items: number
  readonly essShare: number
}

/**
 * For each target that follows scores at a temperature, what speaks against ranking it among others that do: a temperature
 * is in the unit of the scores, and models whose scores differ in scale explore differently at the same one. Policies
 * whose temperature was matched, and those by rank, are left alone. In the order of the targets.
 */
export function unequalExploration(log: Log, targets: readonly Target[]): readonly (Complaint | undefined)[] {
  const tempered = targets.map((target) => (isByTemperature(target) ? target : undefined))
  if (!log.propensity || new Set(tempered.flatMap((target) => (target ? [scoresOf(target)] : []))).size < 2)
    return targets.map(() => undefined)
  const spreads = tempered.map((target) => target && spreadOf(log, target))
  return spreads.map((own) => {
    const others = spreads.flatMap((one) => (one && own && isUnlike(own, one) ? [one] : []))
    const [other] = others.toSorted((a, b) => ratio(own!, b) - ratio(own!, a))
    return own && other && complaintAbout(own, other)
  })
}

type ByPolicy = Extract<Target, { kind: 'policy' }>

/** Follows scores of a unit of their own at a temperature that somebody gave; popularity has clicks as its unit. */
const isByTemperature = (target: Target): target is ByPolicy => {
  if (target.kind !== 'policy') return false
  const { tempered, name } = target.policy
  return tempered !== undefined && !tempered.isMatched && !/^popularity(@|$)/.test(name)
}

const scoresOf = ({ policy }: ByPolicy): string => policy.name.replace(/@[^@]*$/, '')

function spreadOf(log: Log, target: ByPolicy): Spread {
  const { policy } = target
  return {
    name: policy.name,
    scores: scoresOf(target),
    temperature: policy.tempered!.temperature,
    items: exp(meanEntropy(log, policy, CONTEXTS)),
    essShare: essShare(log, policy, CONTEXTS),
  }
}

const ratio = (a: Spread, b: Spread): number => Math.max(a.items, b.items) / Math.min(a.items, b.items)

const isUnlike = (a: Spread, b: Spread): boolean => a.scores !== b.scores && ratio(a, b) > UNEQUAL

function complaintAbout(own: Spread, other: Spread): Complaint {
  const at =
    own.temperature === other.temperature
      ? `at temperature ${own.temperature}`
      : `at temperatures ${own.temperature} and ${other.temperature}`
  // Between what both reach now.
  const share = Number(Math.sqrt(own.essShare * other.essShare).toPrecision(1))
  const matched = share > 0 && share < 1 ? `@ess=${share}` : '@rank'
  return {
    level: 'caution',
    code: 'unequal-exploration',
    message: `It explores unlike ${other.name}: ${at}, it spreads over about ${itemsText(own)} and ${other.name} over about ${itemsText(other)}, so which of them earns more depends on the scale of their scores. At equal exploration: ${own.scores}${matched} and ${other.scores}${matched}.`,
    value: own.items / other.items,
  }
}

const itemsText = ({ items }: Spread): string => counted(Number(items.toPrecision(2)), 'item')
