import type { StudySettings } from './settings.js'

/** A study small enough for tests: everything once, nothing for long. */
export const TINY: StudySettings = {
  quick: true,
  seed: 0,
  seeds: 2,
  resamples: 20,
  toy: { users: 60, items: 20, exposures: 5, beta: [2, 5], skew: 5, logs: 20 },
  exposures: 30,
  users: 60,
  training: { dim: 8, layers: 2, learningRate: 2e-2, batch: 64, steps: 20, alpha: 0.1 },
  methods: { names: ['bpr', 'ips-bpr', 'ips-bpr-pr', 'popularity'], temperatures: [0.5, 1], k: 5 },
  curves: { temperatures: [1], points: 3 },
  regulariser: { temperature: 0.5, alphas: [0, 0.1, 1, null] },
  bias: { temperatures: [0.5, 1, 2], steps: 8 },
  misspecification: { temperature: 1, gammas: [0.5, 1] },
  targets: { temperature: 1 },
}
