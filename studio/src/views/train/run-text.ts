import { measureLabel, measureText } from '$core/words/training-text.js'
import { counted, formatCount, formatShare } from '$core/number-text.js'
import { isSolved, TRAINED_MODELS } from '$core/model/trained-models.js'
import { REGULARISERS } from '$core/train/regularisers.js'
import type { TrainSettings } from '$core/train/settings.js'
import { settingsFor } from '$core/train/settings-for.js'
import { STOPPING_MEASURES } from '$core/train/stopping-measures.js'
import type { EpochRecord, Training } from '$core/train/training.js'
import type { WeightsReport } from '$core/train/weights-report.js'
import type { Run } from '../../train/run.svelte.js'

/** A time in seconds as a person says it: "0.31 s", "12 s", "3 min 5 s". */
export function secondsText(seconds: number): string {
  if (seconds < 10) return `${Number(seconds.toPrecision(2))} s`
  const whole = Math.round(seconds)
  return whole < 120 ? `${whole} s` : `${formatCount(Math.floor(whole / 60))} min ${whole % 60} s`
}

/** The number of epochs whose mean time is shown. */
const LATEST = 5

/** What an epoch takes now, in seconds, evaluation included: the mean of the latest. */
export function epochSeconds(epochs: readonly EpochRecord[]): number | undefined {
  const latest = epochs.slice(-LATEST)
  return latest.length === 0
    ? undefined
    : latest.reduce((sum, { seconds }) => sum + seconds, 0) / latest.length
}

/** The state of a run, in words that change only when it does, for screen readers. */
export function stateText({ state, plan, training }: Pick<Run, 'state' | 'plan' | 'training'>): string {
  const { label } = plan
  switch (state) {
    case 'waiting':
      return `${label} is waiting for its turn.`
    case 'training':
      return `${label} is training.`
    case 'judging':
      return isSolved(plan.settings.model)
        ? `${label} is being solved and judged.`
        : `${label} is trained; its baselines are being computed.`
    case 'stopping':
      return `${label} is stopping.`
    case 'stopped':
      return `${label} was stopped${training ? '; its best model so far is kept' : ''}.`
    case 'done':
      return `${label} is done.`
    case 'failed':
      return `${label} failed.`
  }
}

/** How far a run has come: epochs, the time of one, the time of all. */
export function progressText(
  epochs: readonly EpochRecord[],
  { epochs: most }: Pick<TrainSettings, 'epochs'>,
): string {
  const seconds = epochSeconds(epochs)
  if (seconds === undefined) return `Epoch 1 of at most ${formatCount(most)}`
  const total = epochs.reduce((sum, record) => sum + record.seconds, 0)
  const done = epochs.at(-1)!.epoch
  return [
    `Epoch ${formatCount(Math.min(most, done + 1))} of at most ${formatCount(most)}`,
    `${secondsText(seconds)} per epoch`,
    `${secondsText(total)} so far`,
  ].join(' · ')
}

/** How a run ended, and the time it took. */
export function endText({
  epochs,
  best,
  stopped,
  settings,
}: Pick<Training, 'epochs' | 'best' | 'stopped' | 'settings'>): string {
  if (isSolved(settings.model))
    return stopped === 'interrupted' ? 'The best of those that were solved, then stopped' : 'Solved'
  const total = epochs.reduce((sum, { seconds }) => sum + seconds, 0)
  const ended = {
    patience: 'stopped early without a further gain',
    epochs: 'the maximum',
    interrupted: 'then stopped',
    solved: 'solved',
  }[stopped]
  return [
    `${counted(epochs.length, 'epoch')}, ${ended}`,
    `the model of epoch ${formatCount(best.epoch)} is kept`,
    secondsText(total),
  ].join(' · ')
}

/** The best epoch so far by the early-stopping measure, where it is recorded; patience counts from there. */
export function bestSoFar(
  epochs: readonly EpochRecord[],
  { stopOn, k, patience, patienceSteps }: Pick<TrainSettings, 'stopOn' | 'k' | 'patience' | 'patienceSteps'>,
): string {
  const { recorded: valueOf } = STOPPING_MEASURES.named(stopOn)
  if (!valueOf) return ''
  const known = epochs.filter((record) => valueOf(record) !== null)
  if (known.length === 0) return ''
  const best = known.reduce((a, b) => (valueOf(b)! > valueOf(a)! ? b : a))
  return `Best ${measureLabel(stopOn, k)} so far: ${measureText(stopOn, valueOf(best)!)}, at epoch ${formatCount(best.epoch)}. Training stops after ${counted(patience, 'epoch')}${patienceSteps ? ` and ${counted(patienceSteps, 'step')}` : ''} without a gain.`
}

/** What a run computes on. */
export function kernelText(kernel: Run['kernel']): string {
  if (!kernel) return ''
  if (kernel.device !== undefined) return `GPU ${kernel.device}`
  return `WebAssembly, ${counted(kernel.threads, 'thread')}`
}

/** The effective sample size of the weighted events; empty where all weights are equal. */
export function weightsText({ max, min, essRatio, rawEssRatio, events }: WeightsReport): string {
  if (!(max > min)) return ''
  const before = rawEssRatio < essRatio - 1e-9 ? ` (${formatShare(rawEssRatio)} before the regulariser)` : ''
  return `Effective sample size: ${formatShare(Math.min(1, essRatio))} of ${counted(events, 'weighted event')}${before}.`
}

const NAMES: Partial<Record<keyof TrainSettings, string>> = {
  dim: 'd',
  layers: 'K',
  learningRate: 'learning rate',
  batch: 'batch',
  l2: 'λ',
  k: 'k',
  stopOn: 'early stopping on',
  patience: 'patience',
  temperature: 'temperature',
  seed: 'seed',
}

/** What distinguishes a run besides its method: its regulariser, and the settings that differ from the defaults of its model and loss. */
export function settingsText(settings: TrainSettings, split: { readonly by: 'row' | 'time' }): string {
  const { regulariser, model, loss } = settings
  const usual = settingsFor(true, { model, loss })
  const changed = (Object.keys(NAMES) as (keyof TrainSettings)[]).filter(
    (name) =>
      settings[name] !== usual[name] && !(name === 'layers' && !TRAINED_MODELS.named(model).hasLayers),
  )
  return [
    ...(REGULARISERS.named(regulariser.kind).strength ? [`${regulariser.kind} ${regulariser.strength}`] : []),
    ...changed.map((name) => `${NAMES[name]} ${String(settings[name])}`),
    ...(split.by === 'time' ? ['newest rows held out'] : []),
  ].join(', ')
}
