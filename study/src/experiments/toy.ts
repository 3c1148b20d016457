import {
  pauses,
  type Policy,
  portableMath,
  softmaxPolicy,
  tallyItems,
  tallyUsers,
  toyWorld,
  uniformPolicy,
  type World,
} from 'hindcast'
import type { StepContext } from './context.js'
import { remembered, REPLICATE } from './held-out.js'
import { jackknifeInterval } from '../statistics/jackknife.js'
import { meanOf, overSeeds, varianceOf } from '../statistics/over-seeds.js'
import type { EstimatorDraws, ToyResults } from '../results.js'
import type { StudySettings } from '../settings.js'
import { clickRateSpread, countsOf, spreadOf } from './spread.js'
import { estimateBy, valuePolicy, varianceRatio } from './value-policy.js'

/** What is found in the toy world of one seed. */
export interface ToyOutcome extends Pick<ToyResults, 'items' | 'spread' | 'clickRates'> {
  readonly targets: readonly {
    readonly target: string
    readonly label: string
    readonly truth: number
    readonly varianceRatio: number | null
    readonly bootstrap: EstimatorDraws
    /** For the first seed alone. */
    readonly logs: EstimatorDraws | null
  }[]
}

export interface ToyStep {
  readonly seed: number
  readonly toy: StudySettings['toy']
  readonly resamples: number
  /** Whether to draw the many independent logs as well. */
  readonly withLogs: boolean
}

/** One log of the toy world and what it says about two policies; for the first seed many logs more. */
export async function runToy(step: ToyStep, { signal, progress }: StepContext): Promise<ToyOutcome> {
  const { seed, toy, resamples, withLogs } = step
  const { logs, ...options } = toy
  const world = toyWorld({ ...options, seed })
  const log = world.draw({ replicate: REPLICATE.test })
  const items = tallyItems(log)
  const expected = world.logging.probabilities(0)
  const counts = countsOf(items)
  const policies = toyTargets(world)
  const many = withLogs ? await estimatesOfManyLogs(world, policies, logs, { signal, progress }) : undefined
  const targets: ToyOutcome['targets'][number][] = []
  for (const [k, { policy, label }] of policies.entries()) {
    const valued = await valuePolicy(log, policy, { estimators: ['ips', 'snips'], resamples, seed })
    targets.push({
      target: policy.name,
      label,
      truth: world.value(policy),
      varianceRatio: varianceRatio(valued),
      bootstrap: drawsOf(estimateBy(valued, 'ips').draws, estimateBy(valued, 'snips').draws),
      logs: many ? drawsOf(many[k]!.ips, many[k]!.snips) : null,
    })
  }
  return {
    items: {
      ...counts,
      trueClickRate: world.itemIds.map((_, item) =>
        meanOf(world.userIds.map((_id, user) => world.clickRate(user, item))),
      ),
      expectedImpressions: Array.from(expected, (probability) => probability * log.rows),
    },
    spread: spreadOf(items, tallyUsers(log)),
    clickRates: clickRateSpread(counts),
    targets,
  }
}

/** The toy study from the outcomes of its seeds. */
export function toyResults(outcomes: readonly ToyOutcome[], settings: StudySettings): ToyResults {
  const first = outcomes[0]!
  const { logs: _, ...world } = settings.toy
  return {
    world,
    items: first.items,
    spread: first.spread,
    clickRates: first.clickRates,
    clickRateRatio: overSeeds(outcomes.map(({ clickRates }) => clickRates.ratio)),
    topTenthShare: overSeeds(outcomes.map(({ spread }) => spread.topTenthShare)),
    targets: first.targets.map(({ logs, ...target }, k) => ({
      ...target,
      logs: logs!,
      varianceRatio: overSeeds(outcomes.map(({ targets }) => targets[k]!.varianceRatio)),
    })),
  }
}

/** Uniform, as in the paper, and a policy that knows what each user likes. */
const toyTargets = (world: World): { policy: Policy; label: string }[] => [
  { policy: uniformPolicy(world.itemIds.length), label: 'uniform' },
  { policy: tastePolicy(world, 0.2), label: 'by true taste, softmax(click rate / 0.2)' },
]

/** Shows items by the softmax of their true click rates: no log knows them, but a good model comes close. */
export const tastePolicy = (world: World, temperature: number): Policy =>
  remembered(
    softmaxPolicy(
      'taste',
      (user) => world.itemIds.map((_, item) => world.clickRate(user, item)),
      temperature,
      { items: world.itemIds.length },
    ),
    world.userIds.length,
  )

/** IPS and SNIPS of each policy from many independent logs. */
async function estimatesOfManyLogs(
  world: World,
  policies: readonly { policy: Policy }[],
  logs: number,
  { signal, progress }: { signal: AbortSignal | undefined; progress: StepContext['progress'] },
): Promise<{ ips: number[]; snips: number[] }[]> {
  const pause = pauses(signal)
  const estimates = policies.map(() => ({ ips: [] as number[], snips: [] as number[] }))
  for (let k = 0; k < logs; k++) {
    const log = world.draw({ replicate: REPLICATE.firstOfMany + k })
    for (const [p, { policy }] of policies.entries()) {
      const valued = await valuePolicy(log, policy, { estimators: ['ips', 'snips'], resamples: 0, seed: 0 })
      for (const estimator of ['ips', 'snips'] as const)
        estimates[p]![estimator].push(estimateBy(valued, estimator).value!)
    }
    progress?.((k + 1) / logs)
    await pause()
  }
  return estimates
}

function drawsOf(ips: readonly number[], snips: readonly number[]): EstimatorDraws {
  const pairs = ips.map((value, k) => [value, snips[k]!] as const)
  const logRatio = (some: readonly (readonly [number, number])[]): number =>
    portableMath.log(varianceOf(some.map(([, b]) => b)) / varianceOf(some.map(([a]) => a)))
  const interval = jackknifeInterval(pairs, logRatio)
  return {
    ips,
    snips,
    ipsMean: meanOf(ips),
    snipsMean: meanOf(snips),
    ipsVariance: varianceOf(ips),
    snipsVariance: varianceOf(snips),
    ratio: {
      value: varianceOf(snips) / varianceOf(ips),
      interval: interval && [portableMath.exp(interval[0]), portableMath.exp(interval[1])],
    },
  }
}
