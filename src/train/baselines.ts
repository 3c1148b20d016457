import { HindcastError } from '../error.js'
import { type Baseline, BASELINES } from '../model/baselines.js'
import type { WorkOptions } from '../model/long-work.js'
import { leadOf, type NdcgByUser } from '../metrics/by-user.js'
import type { ClickModel, Model } from '../model/model.js'
import type { Judge } from './judge.js'
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
  const { byUser: own } = await judge.compared(model, options)
  const [trained, ...beside] = (await withPolicyValue({ model, training, judge }, options)).training.ranked
  const ranked = [trained!, ...beside]
  const notes = [...training.notes]
  const budget = which === 'all' ? Infinity : Math.max(LEAST_BUDGET, secondsOf(training))
  const began = performance.now()
  for (const baseline of BASELINES.all) {
    // The model itself needs no second row, nor do those that were solved beside it.
    if (ranked.some((one) => one.model === baseline.name)) continue
    const left = budget - (performance.now() - began) / 1000
    try {
      const work = budgeted(baseline, model, left, options)
      const made = await baseline.make(model.graph, work)
      ranked.push({
        model: baseline.name,
        ...(await besideModel(made, own, judge, work)),
        ...(await judge.atLast(made, false, work)),
      })
    } catch (error) {
      if (!(error instanceof HindcastError) || error.code === 'interrupted') throw error
      notes.push(`A baseline was left out: ${error.message}`)
    }
  }
  return { ...training, ranked, notes }
}

/** A model as it stands beside the trained one: judged, valued where that can be, and compared user by user. */
export async function besideModel(
  model: Model,
  own: NdcgByUser | null,
  judge: Judge,
  work?: WorkOptions,
): Promise<Omit<RankedModel, 'model'>> {
  const { byUser, ...parts } = await judge.compared(model, work)
  const policy = await judge.policy(model, work)
  return { ...parts, ...(policy && { policy }), ...(own && byUser && { lead: leadOf(own, byUser) }) }
}

/** A finished training with what the policy of its model would earn on the test rows, where there are propensities. */
export async function withPolicyValue<Kind extends ClickModel>(
  trained: Trained<Kind>,
  work?: WorkOptions,
): Promise<Trained<Kind>> {
  const { model, training, judge } = trained
  const [first, ...others] = training.ranked
  if (!first || first.policy) return trained
  const policy = await judge.policy(model, work)
  return policy
    ? { ...trained, training: { ...training, ranked: [{ ...first, policy }, ...others] } }
    : trained
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
