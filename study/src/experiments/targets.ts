import {
  fixedPolicy,
  type Log,
  type Policy,
  portableMath,
  ruledPolicy,
  type ScoreRule,
  uniformPolicy,
  type VerdictLevel,
  type World,
} from 'hindcast'
import type { Model } from 'hindcast/train'
import { learnedPolicy, remembered, requireUnseen, trueValue, type Unseen, unseenScores } from './held-out.js'
import { countVerdicts, overSeeds } from '../statistics/over-seeds.js'
import type { Interval, OverSeeds, TargetChoices } from '../results.js'
import { estimateBy, holds, valuePolicy } from './value-policy.js'

/** What one log says about one policy. */
export interface TargetOutcome {
  readonly target: string
  readonly label: string
  readonly truth: number
  readonly snips: number | null
  readonly interval: Interval | null
  readonly ess: number | null
  readonly essRatio: number | null
  readonly verdict: VerdictLevel
  /** The gravest reason of the verdict. */
  readonly reason: string | null
}

/** Policies over the unseen items, from those the log knows well to those it hardly knows: all valued on the same rows. */
export async function valueTargets(
  world: World,
  {
    model,
    unseen,
    step,
  }: { model: Model; unseen: Unseen; step: { resamples: number; seed: number; k: number } },
): Promise<TargetOutcome[]> {
  const outcomes: TargetOutcome[] = []
  for (const { policy, label } of choices(world, model, unseen, step.k)) {
    requireUnseen(policy, unseen)
    outcomes.push(
      await targetOutcome(unseen.log, { policy, label }, trueValue(world, policy, unseen.left), step),
    )
  }
  return outcomes
}

/** SNIPS of a policy, with what is known about it. */
async function targetOutcome(
  log: Log,
  { policy, label }: { policy: Policy; label: string },
  truth: number,
  { resamples, seed }: { resamples: number; seed: number },
): Promise<TargetOutcome> {
  const valued = await valuePolicy(log, policy, { estimators: ['snips'], resamples, seed })
  const { value, interval } = estimateBy(valued, 'snips')
  return {
    target: policy.name,
    label,
    truth,
    snips: value,
    interval,
    ess: valued.ess,
    essRatio: valued.essRatio,
    verdict: valued.verdict,
    reason: valued.verdict === 'trust' ? null : (valued.reasons[0] ?? null),
  }
}

function choices(
  world: World,
  model: Model,
  { shown }: Unseen,
  k: number,
): { policy: Policy; label: string }[] {
  const items = world.itemIds.length
  const scores = unseenScores(model, shown)
  const logging = world.logging.probabilities(0)
  const powered = (power: number): Policy =>
    fixedPolicy(
      `logging^${power}`,
      logging.map((b) => (b > 0 ? portableMath.exp(power * portableMath.log(b)) : 0)),
    )
  const learned = (rule: ScoreRule): Policy =>
    remembered(ruledPolicy('learned', scores, rule, { items }), world.userIds.length)
  return [
    { policy: restricted('logging', world.logging, shown), label: 'as logged' },
    { policy: restricted('flatter', powered(0.5), shown), label: 'logging policy, flattened: b^0.5' },
    { policy: restricted('steeper', powered(2), shown), label: 'logging policy, sharpened: b²' },
    { policy: restricted('uniform', uniformPolicy(items), shown), label: 'uniform' },
    { policy: learnedPolicy('learned@rank', model, shown), label: 'learned, π ∝ 1/rank' },
    {
      policy: learned({ kind: 'epsilon', epsilon: 0.1 }),
      label: 'learned, the best item nine times in ten',
    },
    { policy: learned({ kind: 'top', k }), label: `learned, one of the ${k} best` },
    { policy: learned({ kind: 'best' }), label: 'learned, the best item alone' },
  ]
}

/** A policy over the items that training did not show the user, in proportion to what it gives them. */
function restricted(name: string, policy: Policy, shown: Unseen['shown']): Policy {
  const masked = (user: number): Float64Array => {
    const probabilities = policy.probabilities(user).slice()
    for (const item of shown.byUser.neighbours.subarray(
      shown.byUser.offsets[user]!,
      shown.byUser.offsets[user + 1]!,
    ))
      probabilities[item] = 0
    return probabilities
  }
  return remembered(
    {
      name,
      items: shown.items,
      probabilities: (user) => fixedPolicy(name, masked(user)).probabilities(user),
      sample: (user, random, count) => fixedPolicy(name, masked(user)).sample(user, random, count),
    },
    shown.users,
  )
}

/** The choices over seeds. */
export function targetChoices(
  outcomes: readonly (readonly TargetOutcome[])[],
  temperature: number,
): TargetChoices {
  return {
    temperature,
    rows: outcomes[0]!.map(({ target, label }, k) => {
      const seeds = outcomes.map((targets) => targets[k]!)
      const over = (of: (outcome: TargetOutcome) => number | null): OverSeeds => overSeeds(seeds.map(of))
      const withInterval = seeds.filter(({ interval }) => interval !== null)
      return {
        target,
        label,
        truth: over(({ truth }) => truth),
        snips: over(({ snips }) => snips),
        error: over(({ snips, truth }) => (snips === null ? null : snips - truth)),
        halfWidth: over(({ interval }) => (interval ? (interval[1] - interval[0]) / 2 : null)),
        coverage:
          withInterval.length > 0
            ? withInterval.filter(({ interval, truth }) => holds(interval, truth)).length /
              withInterval.length
            : null,
        ess: over(({ ess }) => ess),
        essRatio: over(({ essRatio }) => essRatio),
        verdicts: countVerdicts(seeds.map(({ verdict }) => verdict)),
        reason: mostFrequent(seeds.map(({ reason }) => reason).filter((reason) => reason !== null)),
      }
    }),
  }
}

/** The first of the words that occur most often; null without any. */
function mostFrequent(words: readonly string[]): string | null {
  const times = (word: string): number => words.filter((other) => other === word).length
  return words.reduce<string | null>(
    (best, word) => (best === null || times(word) > times(best) ? word : best),
    null,
  )
}
