import type { RegulariserOutcome } from './methods.js'
import { overSeeds } from '../statistics/over-seeds.js'
import type { OverSeeds, RegulariserSweep } from '../results.js'

/** What the strength of PR does, from the outcomes of all seeds. */
export function regulariserSweep(
  seeds: readonly (readonly RegulariserOutcome[])[],
  { temperature, steps }: { temperature: number; steps: number },
): RegulariserSweep {
  return {
    temperature,
    steps,
    points: seeds[0]!.map(({ alpha }, k) => {
      const over = (of: (outcome: RegulariserOutcome) => number | null): OverSeeds =>
        overSeeds(seeds.map((outcomes) => of(outcomes[k]!)))
      return {
        alpha,
        trainingEssRatio: over(({ trainingEssRatio }) => trainingEssRatio),
        truth: over(({ truth }) => truth),
        snips: over(({ snips }) => snips),
        ndcgBiased: over(({ ndcgBiased }) => ndcgBiased),
        ndcgUniform: over(({ ndcgUniform }) => ndcgUniform),
      }
    }),
  }
}
