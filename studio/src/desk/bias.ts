import { type Tally, tallyItems } from '$core/describe/describe.js'
import { type BiasOutcome, biasOutcome } from '$study/experiments/bias.js'
import { REPLICATE } from '$study/experiments/held-out.js'
import { estimateBy, type Valued, valuePolicy } from '$study/experiments/value-policy.js'
import type { Log } from '$core/log/log.js'
import {
  BIAS_TARGETS,
  type KnownTarget,
  type BiasTargetName,
  type BiasWorld,
  preparedWorld,
} from './bias-world.js'

/** A log to draw: from a world, at a bias. */
export interface BiasSetting {
  readonly world: BiasWorld
  readonly seed: number
  /** Exposures per user. */
  readonly exposures: number
  /** T of the logging policy: low favours the most popular items, high shows all alike. */
  readonly temperature: number
}

/** One log: what it shows, and what it says about a target policy. */
export interface BiasedLog {
  readonly world: BiasWorld['kind']
  readonly temperature: number
  readonly target: BiasTargetName
  /** The target policy in words. */
  readonly label: string
  readonly rows: number
  readonly users: number
  readonly items: Tally
  readonly truth: number
  readonly snips: number | null
  readonly interval: Valued['estimates'][number]['interval']
  readonly ess: number | null
  readonly essRatio: number | null
  readonly verdict: Valued['verdict']
  /** Why, most serious first. */
  readonly reasons: readonly string[]
}

/** Bootstrap resamples of every estimate, as in the study. */
const RESAMPLES = 50

/** Draws a log and evaluates one target policy on it. */
async function lookAt({ target, ...setting }: BiasSetting & { target: BiasTargetName }): Promise<BiasedLog> {
  const { log, targetNamed } = draw(setting)
  const { policy, label, truth } = targetNamed(target)
  const { seed } = setting
  const valued = await valuePolicy(log, policy, { estimators: ['ips', 'snips'], resamples: RESAMPLES, seed })
  const { value: snips, interval } = estimateBy(valued, 'snips')
  const { ess, essRatio, verdict, reasons } = valued
  return {
    world: setting.world.kind,
    temperature: setting.temperature,
    target,
    label,
    rows: log.rows,
    users: log.userIds.length,
    items: tallyItems(log),
    truth,
    snips,
    interval,
    ess,
    essRatio,
    verdict,
    reasons,
  }
}

/** Draws a log and evaluates every target policy on it: one temperature of one seed of a study's sweep, bit for bit. */
async function outcomesAt(setting: BiasSetting): Promise<BiasOutcome[]> {
  const { log, targetNamed } = draw(setting)
  const outcomes: BiasOutcome[] = []
  const { temperature, seed } = setting
  for (const target of BIAS_TARGETS) {
    const known = targetNamed(target)
    outcomes.push(await biasOutcome(log, { ...known, temperature }, { resamples: RESAMPLES, seed }))
  }
  return outcomes
}

function draw({ world, ...setting }: BiasSetting): {
  log: Log
  targetNamed: (name: BiasTargetName) => KnownTarget
} {
  const prepared = preparedWorld(world, setting.seed)
  // The log that a study tests on.
  const log = prepared.worldAt(setting).draw({ replicate: REPLICATE.test })
  return { log, targetNamed: (name) => prepared.target(name) }
}

/** What the page can ask a worker about exposure bias. */
export const biasService = { lookAt, outcomesAt }
export type BiasDesk = typeof biasService
