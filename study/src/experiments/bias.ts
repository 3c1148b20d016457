import { type Log, pauses, type Policy, uniformPolicy, type VerdictLevel, type World } from 'hindcast'
import type { StepContext } from './context.js'
import { learnedPolicy, REPLICATE, requireUnseen, sealed, trueValue, unseenOf } from './held-out.js'
import { countVerdicts, overSeeds } from '../statistics/over-seeds.js'
import type { BiasPoint, BiasSweep, Interval, OverSeeds } from '../results.js'
import type { StudySettings } from '../settings.js'
import { tastePolicy } from './toy.js'
import { trainMethod } from './train-method.js'
import { estimateBy, holds, valuePolicy, varianceRatio } from './value-policy.js'

/** One seed of a sweep over temperatures. */
export interface BiasStep {
  readonly seed: number
  readonly resamples: number
  readonly temperatures: readonly number[]
  /** T of the softmax of true click rates. */
  readonly tasteTemperature: number
  /** How a policy is learned at every temperature; null for none. */
  readonly training: StudySettings['training'] | null
}

/** What one log says about one policy. */
export interface BiasOutcome {
  readonly target: string
  readonly label: string
  readonly temperature: number
  readonly truth: number
  readonly snips: number | null
  readonly ips: number | null
  readonly interval: Interval | null
  readonly ess: number | null
  readonly essRatio: number | null
  readonly varianceRatio: number | null
  readonly verdict: VerdictLevel
}

/** The same policies, and one that is learned, valued on logs from strongly to hardly biased. */
export async function runBias(
  worldAt: (temperature: number) => World,
  step: BiasStep,
  { signal, progress, makeKernel }: StepContext,
): Promise<BiasOutcome[]> {
  const pause = pauses(signal)
  const popular = worldAt(1)
  const targets = fixedTargets(popular, step)
  const outcomes: BiasOutcome[] = []
  for (const [place, temperature] of step.temperatures.entries()) {
    const world = temperature === 1 ? popular : worldAt(temperature)
    const testLog = sealed(() => world.draw({ replicate: REPLICATE.test }))
    const training = world.draw({ replicate: REPLICATE.training })
    const learned =
      step.training &&
      (await trainMethod(
        training,
        { method: 'ips-bpr-pr', alpha: step.training.alpha },
        {
          seed: step.seed,
          training: step.training,
          ...(signal && { signal }),
          ...(makeKernel && { makeKernel }),
        },
      ))
    const log = testLog()
    for (const { policy, label } of targets) {
      outcomes.push(await biasOutcome(log, { policy, label, temperature, truth: world.value(policy) }, step))
      await pause()
    }
    if (learned) {
      const unseen = unseenOf(world, training, log)
      const policy = learnedPolicy('learned', learned.model, unseen.shown)
      requireUnseen(policy, unseen)
      const truth = trueValue(world, policy, unseen.left)
      const label = 'learned at this temperature by IPS-BPR + PR'
      outcomes.push(await biasOutcome(unseen.log, { policy, label, temperature, truth }, step))
    }
    progress?.((place + 1) / step.temperatures.length)
    await pause()
  }
  return outcomes
}

/** Policies that stay the same at every temperature. */
const fixedTargets = (
  popular: World,
  { tasteTemperature }: BiasStep,
): { policy: Policy; label: string }[] => [
  { policy: uniformPolicy(popular.itemIds.length), label: 'uniform' },
  {
    policy: { ...popular.logging, name: 'popularity' },
    label: 'by popularity: the logging policy at temperature 1',
  },
  {
    policy: tastePolicy(popular, tasteTemperature),
    label: `by true taste, softmax(click rate / ${tasteTemperature})`,
  },
]

/** What a log of a temperature says about a target policy whose true value is known. */
export async function biasOutcome(
  log: Log,
  {
    policy,
    label,
    temperature,
    truth,
  }: { policy: Policy; label: string; temperature: number; truth: number },
  { resamples, seed }: Pick<BiasStep, 'resamples' | 'seed'>,
): Promise<BiasOutcome> {
  const valued = await valuePolicy(log, policy, { estimators: ['ips', 'snips'], resamples, seed })
  const snips = estimateBy(valued, 'snips')
  return {
    target: policy.name,
    label,
    temperature,
    truth,
    snips: snips.value,
    ips: estimateBy(valued, 'ips').value,
    interval: snips.interval,
    ess: valued.ess,
    essRatio: valued.essRatio,
    varianceRatio: varianceRatio(valued),
    verdict: valued.verdict,
  }
}

/** The sweep over seeds. */
export function biasSweep(
  seeds: readonly (readonly BiasOutcome[])[],
  { world, label, temperatures }: Pick<BiasSweep, 'world' | 'label' | 'temperatures'>,
): BiasSweep {
  const targets = [...new Set(seeds[0]!.map(({ target }) => target))]
  return {
    world,
    label,
    temperatures,
    targets: targets.map((target) => {
      const own = seeds.map((outcomes) => outcomes.filter((outcome) => outcome.target === target))
      const peakOf = (of: (outcome: BiasOutcome) => number | null): OverSeeds =>
        overSeeds(own.map((outcomes) => peak(outcomes, of)))
      return {
        target,
        label: own[0]![0]!.label,
        points: temperatures.map((_, k) => pointOf(own.map((outcomes) => outcomes[k]!))),
        peak: {
          snips: peakOf(({ snips }) => snips),
          truth: peakOf(({ truth }) => truth),
          essRatio: peakOf(({ essRatio }) => essRatio),
        },
      }
    }),
  }
}

/** The temperature where a measure is largest: the first of equals; null where it is the same everywhere. */
function peak(outcomes: readonly BiasOutcome[], of: (outcome: BiasOutcome) => number | null): number | null {
  const known = outcomes.filter((outcome) => of(outcome) !== null)
  const values = known.map((outcome) => of(outcome)!)
  const best = Math.max(...values)
  const flat = best - Math.min(...values) <= 1e-12 * Math.abs(best)
  return known.length === 0 || flat ? null : known[values.indexOf(best)]!.temperature
}

function pointOf(seeds: readonly BiasOutcome[]): BiasPoint {
  const over = (of: (outcome: BiasOutcome) => number | null): OverSeeds => overSeeds(seeds.map(of))
  return {
    temperature: seeds[0]!.temperature,
    truth: over(({ truth }) => truth),
    snips: over(({ snips }) => snips),
    ips: over(({ ips }) => ips),
    snipsIntervals: seeds.map(({ interval }) => interval),
    covered: seeds.filter(({ interval, truth }) => holds(interval, truth)).length,
    ess: over(({ ess }) => ess),
    essRatio: over(({ essRatio }) => essRatio),
    varianceRatio: over((outcome) => outcome.varianceRatio),
    verdicts: countVerdicts(seeds.map(({ verdict }) => verdict)),
  }
}
