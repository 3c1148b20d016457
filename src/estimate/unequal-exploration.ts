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

/** How far a policy that follows scores spreads over the items. */
interface Spread {
  readonly name: string
  /** The name without its rule: the scores it follows. */
  readonly scores: string
  /** Where somebody gave one; not where it was chosen for an amount of exploration. */
  readonly given: number | undefined
  /** exp(mean entropy): as if it showed so many items equally often. */
  readonly items: number
  readonly essShare: number
}

/**
 * For each target that follows scores, what speaks against ranking it among others that do: a temperature is in the unit of the
 * scores, and models whose scores differ in scale explore differently at the same one. Two policies are left alone where
 * neither has a temperature that somebody gave: by rank, or matched, they explore as was asked. In the order of the targets.
 */
export function unequalExploration(log: Log, targets: readonly Target[]): readonly (Complaint | undefined)[] {
  const scored = targets.map((target) => (followsScores(target) ? target : undefined))
  const known = scored.filter((target) => target !== undefined)
  const isSettled = new Set(known.map(scoresOf)).size < 2 || known.every((one) => givenOf(one) === undefined)
  if (!log.propensity || isSettled) return targets.map(() => undefined)
  const spreads = scored.map((target) => target && spreadOf(log, target))
  return spreads.map((own) => {
    const others = spreads.flatMap((one) => (one && own && isUnlike(own, one) ? [one] : []))
    const [other] = others.toSorted((a, b) => ratio(own!, b) - ratio(own!, a))
    return own && other && complaintAbout(own, other)
  })
}

type ByPolicy = Extract<Target, { kind: 'policy' }>

/** Follows scores of a unit of their own; popularity has clicks as its unit. */
const followsScores = (target: Target): target is ByPolicy => {
  if (target.kind !== 'policy') return false
  const { tempered, softmaxAt, name } = target.policy
  return (tempered !== undefined || softmaxAt !== undefined) && !/^popularity(@|$)/.test(name)
}

const scoresOf = ({ policy }: ByPolicy): string => policy.name.replace(/@[^@]*$/, '')

const givenOf = ({ policy: { tempered } }: ByPolicy): number | undefined =>
  tempered?.isMatched ? undefined : tempered?.temperature

const spreadOf = (log: Log, target: ByPolicy): Spread => ({
  name: target.policy.name,
  scores: scoresOf(target),
  given: givenOf(target),
  items: exp(meanEntropy(log, target.policy, CONTEXTS)),
  essShare: essShare(log, target.policy, CONTEXTS),
})

const ratio = (a: Spread, b: Spread): number => Math.max(a.items, b.items) / Math.min(a.items, b.items)

const isUnlike = (a: Spread, b: Spread): boolean =>
  a.scores !== b.scores && (a.given !== undefined || b.given !== undefined) && ratio(a, b) > UNEQUAL

function complaintAbout(own: Spread, other: Spread): Complaint {
  const at = own.given !== undefined && own.given === other.given ? `at temperature ${own.given}, ` : ''
  // Between what both reach now.
  const share = Number(Math.sqrt(own.essShare * other.essShare).toPrecision(1))
  const matched = share > 0 && share < 1 ? `@ess=${share}` : '@rank'
  return {
    level: 'caution',
    code: 'unequal-exploration',
    message: `It explores unlike ${other.name}: ${at}it spreads over about ${itemsText(own)} and ${other.name} over about ${itemsText(other)}. Which of them earns more then depends on the scale of their scores too. At equal exploration: ${own.scores}${matched} and ${other.scores}${matched}.`,
    value: own.items / other.items,
  }
}

const itemsText = ({ items }: Spread): string => counted(Number(items.toPrecision(2)), 'item')
