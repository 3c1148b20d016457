import { measureLabel } from '$core/words/training-text.js'
import { counted, formatCount, formatShare } from '$core/number-text.js'
import { TRAINED_MODELS } from '$core/model/trained-models.js'
import { REGULARISERS } from '$core/train/regularisers/index.js'
import { DEFAULT_SETTINGS, type TrainSettings } from '$core/train/settings.js'
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

/** Epochs whose mean time is told. */
const LATEST = 5

/** What an epoch takes now, in seconds, evaluation included: the mean of the latest. */
export function epochSeconds(epochs: readonly EpochRecord[]): number | undefined {
  const latest = epochs.slice(-LATEST)
  return latest.length === 0
    ? undefined
    : latest.reduce((sum, { seconds }) => sum + seconds, 0) / latest.length
}

/** Where a run stands, as words that change only when that does: for those who listen. */
export function stateText({ state, plan, training }: Pick<Run, 'state' | 'plan' | 'training'>): string {
  const { label } = plan
  switch (state) {
    case 'waiting':
      return `${label} waits for its turn.`
    case 'training':
      return `${label} is training.`
    case 'judging':
      return `${label} is trained; its baselines are being made.`
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
    `${secondsText(seconds)} an epoch`,
    `${secondsText(total)} so far`,
  ].join(' · ')
}

/** How a run ended, and the time it took. */
export function endText({ epochs, best, stopped }: Pick<Training, 'epochs' | 'best' | 'stopped'>): string {
  const total = epochs.reduce((sum, { seconds }) => sum + seconds, 0)
  const ended = {
    patience: 'ended without a further gain',
    epochs: 'all that were asked for',
    interrupted: 'then stopped',
  }[stopped]
  return [
    `${counted(epochs.length, 'epoch')}, ${ended}`,
    `that of epoch ${formatCount(best.epoch)} is kept`,
    secondsText(total),
  ].join(' · ')
}

/** The best epoch so far by what the run stops on, where its records tell that; patience counts from there. */
export function bestSoFar(
  epochs: readonly EpochRecord[],
  { stopOn, k, patience }: Pick<TrainSettings, 'stopOn' | 'k' | 'patience'>,
): string {
  const { recorded: valueOf } = STOPPING_MEASURES.named(stopOn)
  if (!valueOf) return ''
  const known = epochs.filter((record) => valueOf(record) !== null)
  if (known.length === 0) return ''
  const best = known.reduce((a, b) => (valueOf(b)! > valueOf(a)! ? b : a))
  return `Highest ${measureLabel(stopOn, k)} ${valueOf(best)!.toPrecision(3)}, after epoch ${formatCount(best.epoch)}; ends after ${counted(patience, 'epoch')} without a gain.`
}

/** What a run computes on. */
export function kernelText(kernel: Run['kernel']): string {
  if (!kernel) return ''
  if (kernel.device !== undefined) return `GPU ${kernel.device}`
  return `WebAssembly, ${counted(kernel.threads, 'thread')}`
}

/** How much of the events counts once they are weighted; nothing to say where all weigh the same. */
export function weightsText({ max, min, essRatio, rawEssRatio, events }: WeightsReport): string {
  if (!(max > min)) return ''
  const before = rawEssRatio < essRatio - 1e-9 ? `, ${formatShare(rawEssRatio)} before the regulariser` : ''
  return `Weighted, ${formatCount(events)} events count as ${formatShare(Math.min(1, essRatio))} of them${before}.`
}

const NAMES: Partial<Record<keyof TrainSettings, string>> = {
  dim: 'd',
  layers: 'K',
  learningRate: 'learning rate',
  batch: 'batch',
  l2: 'λ',
  k: 'k',
  stopOn: 'stop on',
  patience: 'patience',
  temperature: 'temperature',
  seed: 'seed',
}

/** What sets a run apart besides its method: its regulariser, and the settings that are not the usual ones. */
export function settingsText(settings: TrainSettings, split: { readonly by: 'row' | 'time' }): string {
  const { regulariser, model } = settings
  const changed = (Object.keys(NAMES) as (keyof TrainSettings)[]).filter(
    (name) =>
      settings[name] !== DEFAULT_SETTINGS[name] &&
      !(name === 'layers' && !TRAINED_MODELS.named(model).hasLayers),
  )
  return [
    ...(REGULARISERS.named(regulariser.kind).strength ? [`${regulariser.kind} ${regulariser.strength}`] : []),
    ...changed.map((name) => `${NAMES[name]} ${String(settings[name])}`),
    ...(split.by === 'time' ? ['newest rows held out'] : []),
  ].join(', ')
}
