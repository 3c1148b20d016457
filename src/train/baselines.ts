import { HindcastError } from '../error.js'
import { type Baseline, BASELINES } from '../model/baselines.js'
import type { WorkOptions } from '../model/long-work.js'
import type { ClickModel } from '../model/model.js'
import type { Trained } from './train.js'
import type { RankedModel, Training } from './training.js'

/** Which baselines to evaluate: `fast` those that together take no longer than the training did. */
export type BaselineChoice = 'all' | 'fast' | 'none'

export interface RankBaselinesOptions extends WorkOptions {
  /** Default `all`. */
  which?: Exclude<BaselineChoice, 'none'>
}

/** Seconds that baselines may take however short the training was. */
const LEAST_BUDGET = 10

/**
 * The training with baselines beside the model, evaluated by the same judge on the same clicks. One that cannot be made,
 * such as ease for too large a catalogue, or that would take longer than the training, is left out with a note.
 */
export async function rankBaselines(
  { model, training, judge }: Trained<ClickModel>,
  { which = 'all', ...options }: RankBaselinesOptions = {},
): Promise<Training> {
  const ranked = [...training.ranked]
  const notes = [...training.notes]
  const budget = which === 'all' ? Infinity : Math.max(LEAST_BUDGET, secondsOf(training))
  const began = performance.now()
  for (const baseline of BASELINES.all) {
    // The model itself needs no second row.
    if (baseline.name === model.kind) continue
    const left = budget - (performance.now() - began) / 1000
    try {
      const work = budgeted(baseline, model, left, options)
      const made = await baseline.make(model.graph, work)
      ranked.push({
        model: baseline.name,
        ...(await judge.ranked(made, work)),
        ...(await judge.atLast(made, false, work)),
      })
    } catch (error) {
      if (!(error instanceof HindcastError) || error.code === 'interrupted') throw error
      notes.push(`A baseline was left out: ${error.message}`)
    }
  }
  return { ...training, ranked, notes: [...notes, ...underUniformExposure(ranked, training.settings.k)] }
}

/** The options of a baseline that is stopped when its time runs out; one that is known to need more does not begin. */
function budgeted(
  { label, seconds }: Baseline,
  { graph }: ClickModel,
  left: number,
  options: WorkOptions,
): WorkOptions {
  const expected = seconds?.(graph, options.solver?.threads ?? 1) ?? 0
  if (expected > left)
    throw tooLong(
      `${label} would take about ${inWords(expected)}, longer than the training. It is computed where all baselines are asked for.`,
    )
  const began = performance.now()
  return {
    ...options,
    progress: (progress) => {
      if ((performance.now() - began) / 1000 > left)
        throw tooLong(
          `${label} took longer than the training and was stopped. It is finished where all baselines are asked for.`,
        )
      options.progress?.({ ...progress, what: `baseline ${label}: ${progress.what}` })
    },
  }
}

const tooLong = (message: string): HindcastError => new HindcastError('bad-option', message)

/** Seconds of the epochs, evaluation included. */
const secondsOf = ({ epochs }: Training): number => epochs.reduce((sum, { seconds }) => sum + seconds, 0)

const inWords = (seconds: number): string =>
  seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`

/** Test clicks come from the logging policy too: what they say once weighted by 1/propensity. */
function underUniformExposure([model, ...baselines]: readonly RankedModel[], k: number): string[] {
  const ndcg = ({ test }: RankedModel): number | undefined => test?.ips?.ndcg.value
  const ours = ndcg(model!)
  if (ours === undefined || baselines.length === 0) return []
  const best = baselines.reduce((a, b) => ((ndcg(b) ?? -1) > (ndcg(a) ?? -1) ? b : a))
  return [
    `Test clicks come from the logging policy and favour models that resemble it. Weighted by 1/propensity, as under uniform exposure, NDCG@${k} is ${ours.toPrecision(3)} for ${model!.model} and ${ndcg(best)!.toPrecision(3)} for the best baseline, ${best.model}.`,
  ]
}
