import { HindcastError } from 'hindcast'
import type { StudyMethod } from './results.js'

/** All that fixes a study, besides the ratings: the same settings give the same results, times aside. */
export interface StudySettings {
  /** Fewer seeds, temperatures and steps, for a first look. */
  readonly quick: boolean
  /** The first seed; the others follow it. */
  readonly seed: number
  /** How many. */
  readonly seeds: number
  /** Bootstrap resamples of every estimate; the paper has 50. */
  readonly resamples: number
  readonly toy: {
    readonly users: number
    readonly items: number
    /** Exposures per user. */
    readonly exposures: number
    readonly beta: readonly [number, number]
    readonly skew: number
    /** Independent logs for the sampling distribution. */
    readonly logs: number
  }
  /** Exposures per user in the MovieLens world. */
  readonly exposures: number
  /** Only the first so many users of the ratings; null for all. */
  readonly users: number | null
  /** How models are trained; what is not named here is as in the paper. */
  readonly training: {
    readonly dim: number
    readonly layers: number
    readonly learningRate: number
    readonly batch: number
    /** Adam steps of every trained model; epochs are rounded so that all come close to it. */
    readonly steps: number
    /** α of PR. */
    readonly alpha: number
  }
  readonly methods: {
    readonly names: readonly StudyMethod[]
    readonly temperatures: readonly number[]
    /** k of the ranking metrics. */
    readonly k: number
  }
  readonly curves: {
    /** Among those of the methods; the first is that of the claims. */
    readonly temperatures: readonly number[]
    /** Points of a curve, evenly over the steps. */
    readonly points: number
  }
  readonly regulariser: {
    /** Among those of the methods. */
    readonly temperature: number
    /** Null is ∞. */
    readonly alphas: readonly (number | null)[]
  }
  readonly bias: {
    readonly temperatures: readonly number[]
    /** Adam steps of the learned policy, trained again at every temperature. */
    readonly steps: number
  }
  readonly misspecification: { readonly temperature: number; readonly gammas: readonly number[] }
  readonly targets: { readonly temperature: number }
}

const FULL: Omit<StudySettings, 'seed' | 'quick'> = {
  seeds: 5,
  resamples: 50,
  toy: { users: 1000, items: 200, exposures: 5, beta: [2, 5], skew: 5, logs: 200 },
  exposures: 100,
  users: null,
  // Five times the paper's rate, so that ten seeds take minutes; plain BPR ends where 1e-3 takes it in five times the steps.
  training: { dim: 64, layers: 3, learningRate: 5e-3, batch: 1024, steps: 1500, alpha: 0.1 },
  methods: {
    names: ['bpr', 'ips-bpr', 'ips-bpr-pr', 'ips-bce', 'popularity', 'item-knn', 'ease'],
    temperatures: [0.5, 1, 2],
    k: 10,
  },
  curves: { temperatures: [1, 0.5], points: 15 },
  regulariser: { temperature: 0.5, alphas: [0, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, null] },
  bias: { temperatures: [0.2, 0.3, 0.5, 0.7, 1, 1.2, 1.5, 2, 3, 5], steps: 500 },
  misspecification: { temperature: 1, gammas: [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5] },
  targets: { temperature: 1 },
}

const QUICK: Omit<StudySettings, 'seed' | 'quick'> = {
  ...FULL,
  seeds: 3,
  users: 400,
  training: { ...FULL.training, learningRate: 1e-2, steps: 240 },
  methods: { ...FULL.methods, temperatures: [0.5, 1] },
  curves: { temperatures: [1], points: 9 },
  regulariser: { temperature: 0.5, alphas: [0, 0.1, 1, null] },
  bias: { temperatures: [0.2, 0.5, 1, 1.2, 2, 5], steps: 120 },
  misspecification: { temperature: 1, gammas: [0.5, 0.75, 1, 1.25, 1.5] },
}

export interface StudyChoices {
  quick?: boolean
  seed?: number
  seeds?: number
  resamples?: number
}

/** The settings of a full or a quick study, with what was chosen. */
export function studySettings({
  quick = false,
  seed = 0,
  seeds,
  resamples,
}: StudyChoices = {}): StudySettings {
  const settings = { ...(quick ? QUICK : FULL), quick, seed }
  const chosen = { ...settings, seeds: seeds ?? settings.seeds, resamples: resamples ?? settings.resamples }
  if (!(Number.isSafeInteger(chosen.seeds) && chosen.seeds >= 1))
    throw new HindcastError('bad-option', `A study cannot have ${chosen.seeds} seeds.`, {
      remedy: 'Give a whole number of at least 1; 5 or more separate effects from chance.',
    })
  if (!(Number.isSafeInteger(chosen.resamples) && chosen.resamples >= 10))
    throw new HindcastError(
      'bad-option',
      `${chosen.resamples} resamples are too few for a reliable variance.`,
      {
        remedy: 'Give a whole number of at least 10; the paper uses 50.',
      },
    )
  return chosen
}

/** The seeds of a study. */
export const seedsOf = ({ seed, seeds }: Pick<StudySettings, 'seed' | 'seeds'>): number[] =>
  Array.from({ length: seeds }, (_, k) => seed + k)
