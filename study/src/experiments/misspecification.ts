import {
  CompensatedSum,
  type Log,
  pauses,
  type Policy,
  portableMath,
  uniformPolicy,
  type VerdictLevel,
  type World,
} from 'hindcast'
import type { StepContext } from './context.js'
import { REPLICATE } from './held-out.js'
import { countVerdicts, overSeeds, rootMeanSquare } from '../statistics/over-seeds.js'
import { type MisspecificationSweep, STUDY_ESTIMATORS, type StudyEstimator } from '../results.js'
import { tastePolicy } from './toy.js'
import { valuePolicy } from './value-policy.js'

export interface MisspecificationStep {
  readonly seed: number
  readonly gammas: readonly number[]
  readonly tasteTemperature: number
}

/** What estimators say when the propensities are b^γ. */
export interface MisspecificationOutcome {
  readonly target: string
  readonly label: string
  readonly gamma: number
  readonly truth: number
  readonly values: readonly { readonly estimator: StudyEstimator; readonly value: number | null }[]
  readonly meanWeight: number | null
  readonly verdict: VerdictLevel
}

/** One log, valued with propensities that are wrong by an exponent. */
export async function runMisspecification(
  world: World,
  { seed, gammas, tasteTemperature }: MisspecificationStep,
  { signal, progress }: StepContext,
): Promise<MisspecificationOutcome[]> {
  const pause = pauses(signal)
  const log = world.draw({ replicate: REPLICATE.misspecification })
  const targets: { policy: Policy; label: string }[] = [
    { policy: uniformPolicy(world.itemIds.length), label: 'uniform' },
    {
      policy: tastePolicy(world, tasteTemperature),
      label: `by true taste, softmax(click rate / ${tasteTemperature})`,
    },
  ]
  const outcomes: MisspecificationOutcome[] = []
  for (const { policy, label } of targets) {
    const truth = world.value(policy)
    for (const gamma of gammas) {
      const wrong = withExponent(log, world.logging.probabilities(0), gamma)
      const valued = await valuePolicy(wrong, policy, { estimators: STUDY_ESTIMATORS, resamples: 0, seed })
      outcomes.push({
        target: policy.name,
        label,
        gamma,
        truth,
        values: valued.estimates.map(({ estimator, value }) => ({ estimator, value })),
        meanWeight: valued.meanWeight,
        verdict: valued.verdict,
      })
      progress?.(outcomes.length / (targets.length * gammas.length))
      await pause()
    }
  }
  return outcomes
}

/** The log as if its propensities were b^γ / Σ b^γ. */
function withExponent(log: Log, logging: Float64Array, gamma: number): Log {
  const powers = logging.map((b) => (b > 0 ? portableMath.exp(gamma * portableMath.log(b)) : 0))
  const total = new CompensatedSum()
  for (const power of powers) total.add(power)
  return { ...log, propensity: Float64Array.from(log.item, (item) => powers[item]! / total.value) }
}

/** The sweep over seeds. */
export function misspecificationSweep(
  seeds: readonly (readonly MisspecificationOutcome[])[],
  { temperature, gammas }: { temperature: number; gammas: readonly number[] },
): MisspecificationSweep {
  const targets = [...new Set(seeds[0]!.map(({ target }) => target))]
  return {
    temperature,
    targets: targets.map((target) => {
      const own = seeds.map((outcomes) => outcomes.filter((outcome) => outcome.target === target))
      return {
        target,
        label: own[0]![0]!.label,
        truth: overSeeds(own.map((outcomes) => outcomes[0]!.truth)),
        points: gammas.map((gamma, k) => {
          const at = own.map((outcomes) => outcomes[k]!)
          return {
            gamma,
            estimators: STUDY_ESTIMATORS.map((estimator, e) => {
              const errors = at.map(({ values, truth }) => {
                const { value } = values[e]!
                return value === null ? null : value - truth
              })
              return { estimator, error: overSeeds(errors), rmse: rootMeanSquare(errors) }
            }),
            meanWeight: overSeeds(at.map(({ meanWeight }) => meanWeight)),
            verdicts: countVerdicts(at.map(({ verdict }) => verdict)),
          }
        }),
      }
    }),
  }
}
