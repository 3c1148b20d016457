import { below, claimOf, effectOf, effectOver, ratioOver, within } from './effect.js'
import type { BiasSweep, BiasTarget, Claim, ClaimEffect, OverSeeds } from '../results.js'
import type { Measured } from './measured.js'

/** The claim that SNIPS varies less than IPS. */
export function snipsVariance({ toy, bias }: Measured): Claim {
  const unit = 'times the variance of IPS'
  const inToy = (toy?.targets ?? []).flatMap(({ label, varianceRatio, logs }) => [
    effectOf(`independent logs, toy world, target ${label}`, { ...logs.ratio, seeds: 1 }, unit, below(1)),
    ratioOver(`bootstrap, toy world, target ${label}`, varianceRatio, unit, below(1)),
  ])
  const inMovielens = sweepsOf(bias, 'movielens').flatMap(({ targets }) =>
    targets.flatMap(({ label, points }) =>
      points
        .filter(({ temperature }) => temperature === 1 || temperature === 0.5)
        .filter(({ varianceRatio }) => isVaried(varianceRatio))
        .map(({ temperature, varianceRatio }) =>
          ratioOver(
            `bootstrap, MovieLens world at temperature ${temperature}, target ${label}`,
            varianceRatio,
            unit,
            below(1),
          ),
        ),
    ),
  )
  return claimOf(
    {
      id: 'snips-variance',
      claim: 'SNIPS has a lower variance than IPS.',
      test: 'The variance of SNIPS over that of IPS, from independent logs, and from bootstrap resamples of the users of a log, one log per seed; below 1.',
    },
    [...inToy, ...inMovielens],
    {
      holds: 'The variance is smaller in every case that separates the two.',
      'does not hold': 'The variance of SNIPS is not smaller.',
      depends:
        'It depends on the target: SNIPS gains where heavily weighted rows are clicked about as often as others, and loses where they are clicked far less, since then the sum of the weights it divides by adds noise that the clicks do not have.',
      undecided: 'There are too few seeds to tell.',
    },
  )
}

/** Where both estimators are the same number, as for the logging policy itself, there is nothing to compare. */
const isVaried = ({ values }: OverSeeds): boolean =>
  values.some((value) => value !== null && Math.abs(value - 1) > 1e-9)

/** The claim that SNIPS and the effective sample are best at moderate bias. */
export function moderateBias({ bias }: Measured): Claim {
  const [movielens] = sweepsOf(bias, 'movielens')
  const sweep = movielens ?? bias[0]
  const target = (name: string): BiasTarget | undefined => sweep?.targets.find((one) => one.target === name)
  const peaks = (name: string, measures: readonly (keyof BiasTarget['peak'])[]): ClaimEffect[] => {
    const found = target(name)
    if (!found) return []
    return measures
      .filter((measure) => found.peak[measure].mean !== null)
      .map((measure) =>
        effectOver(
          `where ${PEAK_LABELS[measure]} peaks, target ${found.label}`,
          found.peak[measure],
          'on the temperature scale',
          within(1, 1.2),
        ),
      )
  }
  return claimOf(
    {
      id: 'moderate-bias',
      claim:
        'SNIPS and the effective sample are best at moderate exposure bias, temperature about 1.0 to 1.2.',
      test: 'The temperature of the sweep at which SNIPS, the effective sample and the true value are largest, one peak per seed; within 1.0 to 1.2.',
    },
    [
      ...peaks('learned', ['snips', 'essRatio', 'truth']),
      ...peaks('uniform', ['snips', 'essRatio']),
      ...peaks('taste', ['snips', 'essRatio']),
      ...peaks('popularity', ['essRatio']),
    ],
    {
      holds: 'Both peak at moderate bias.',
      'does not hold': 'They do not peak there.',
      depends:
        'It depends on the target policy: the effective sample is largest where the logging policy is closest to it, wherever that is, and for a fixed policy a higher SNIPS at some temperature is an error of the estimate, since its true value is the same at all of them.',
      undecided: 'The peaks of the seeds are too far apart to tell.',
    },
  )
}

const PEAK_LABELS: Readonly<Record<keyof BiasTarget['peak'], string>> = {
  snips: 'SNIPS',
  essRatio: 'the effective sample',
  truth: 'the true value',
}

const sweepsOf = (bias: readonly BiasSweep[], world: BiasSweep['world']): BiasSweep[] =>
  bias.filter((sweep) => sweep.world === world)
