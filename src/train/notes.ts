import { counted } from '../number-text.js'
import type { Events } from './events.js'
import type { Judge } from './judge.js'
import { LOSSES } from './losses/index.js'
import { REGULARISERS } from './regularisers.js'
import { STOPPING_MEASURES } from './stopping-measures.js'
import type { TrainSettings } from './settings.js'
import type { Run } from './train.js'
import type { WeightsReport } from './weights-report.js'

/** What the user should know about a training, as sentences. */
export function trainingNotes({
  settings,
  events,
  judge,
  weights,
  run,
}: {
  settings: TrainSettings
  events: Events
  judge: Judge
  weights: WeightsReport
  run: Run
}): string[] {
  const notes = [...weights.warnings, ...judge.unbiasedNotes(run.best.value)]
  const loss = LOSSES.named(settings.loss)
  const { family, note } = REGULARISERS.named(settings.regulariser.kind)
  if (note !== undefined) notes.push(note)
  if ((family === 'weights' || family === 'report') && loss.weights === 'none')
    notes.push(`The loss ${settings.loss} has no weights, so the regulariser does nothing.`)
  if (settings.negatives.kind === 'popularity' && loss.weights === 'ips')
    notes.push(
      'Popularity-based negatives and IPS weights both correct for exposure: popular items are penalised twice.',
    )
  if (events.leftOut > 0)
    notes.push(`${counted(events.leftOut, 'click')} left out: their users clicked every item.`)
  if (loss.objective && run.best.value === null) notes.push(noEpochChosen(run))
  else if (judge.validationClicks === 0 && run.best.value === null)
    notes.push(
      `The validation part has no click that training has not seen, so the last epoch (${run.best.epoch}) is kept.`,
    )
  if (STOPPING_MEASURES.named(settings.stopOn).family === 'as logged' && loss.weights !== 'none')
    notes.push(
      `The epoch was chosen by ${settings.stopOn} on clicks from the logging policy, which favours models that resemble it. Stopping on snips or unbiased avoids this.`,
    )
  if (judge.withoutSnips !== undefined && loss.weights !== 'none')
    notes.push(`SNIPS was not computed: ${judge.withoutSnips}.`)
  if (run.stopped === 'epochs' && run.best.epoch === run.records.length && run.best.value !== null)
    notes.push('The last epoch was the best: more epochs may improve the model.')
  return notes
}

/** No epoch of an objective has a lower bound that counts. */
function noEpochChosen({ best, records }: Run): string {
  const { atLeast = null, doubt } = records[best.epoch - 1]?.snips ?? {}
  const kept = `No epoch could be chosen by the validation impressions, so epoch ${best.epoch} is kept`
  return `${kept}${atLeast === null ? '' : ', whose bound is the highest'}.${doubt === undefined ? '' : ` ${doubt}`}`
}
