import { HindcastError } from '../error.js'
import { BASELINES } from '../model/baselines.js'
import type { WorkOptions } from '../model/long-work.js'
import type { Trained } from './train.js'
import type { RankedModel, Training } from './training.js'

/**
 * The training with baselines beside the model, evaluated by the same judge on the same clicks.
 * One that cannot be made, such as ease for too large a catalogue, is left out with a note.
 */
export async function rankBaselines(
  { model, training, judge }: Trained,
  options: WorkOptions = {},
): Promise<Training> {
  const ranked = [...training.ranked]
  const notes = [...training.notes]
  for (const { name, make } of BASELINES.all) {
    try {
      ranked.push({ model: name, ...judge.model(await make(model.graph, options)) })
    } catch (error) {
      if (!(error instanceof HindcastError) || error.code === 'interrupted') throw error
      notes.push(`A baseline was left out: ${error.message}`)
    }
  }
  return { ...training, ranked, notes: [...notes, ...underUniformExposure(ranked, training.settings.k)] }
}

/** Test clicks come from the logging policy too: what they say once weighted by 1/propensity. */
function underUniformExposure([model, ...baselines]: readonly RankedModel[], k: number): string[] {
  const ndcg = ({ test }: RankedModel): number | undefined => test?.ips?.ndcg.value
  const ours = ndcg(model!)
  if (ours === undefined) return []
  const best = baselines.reduce((a, b) => ((ndcg(b) ?? -1) > (ndcg(a) ?? -1) ? b : a))
  return [
    `Test clicks come from the logging policy and favour models that resemble it. Weighted by 1/propensity, as under uniform exposure, NDCG@${k} is ${ours.toPrecision(3)} for ${model!.model} and ${ndcg(best)!.toPrecision(3)} for the best baseline, ${best.model}.`,
  ]
}
