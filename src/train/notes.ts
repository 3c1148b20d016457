import { counted } from '../number-text.js'
import type { Events } from './events.js'
import type { Judge } from './judge.js'
import { LOSS } from './loss.js'
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
  const notes = [...weights.warnings]
  if (settings.regulariser.kind === 'literal')
    notes.push(
      'The literal regulariser adds α·mean(w²) to the loss. The weights do not depend on the model, so it has no gradient and the model is that of the same loss without it.',
    )
  const { kind } = settings.regulariser
  // `variance` acts on the losses, weighted or not.
  if (kind !== 'none' && kind !== 'variance' && LOSS[settings.loss].weights === 'none')
    notes.push(`The loss ${settings.loss} has no weights, so the regulariser does nothing.`)
  if (settings.negatives.kind === 'popularity' && LOSS[settings.loss].weights === 'ips')
    notes.push(
      'Negatives drawn by popularity on top of IPS weights correct for exposure twice: popular items are held down both times.',
    )
  if (events.leftOut > 0)
    notes.push(`${counted(events.leftOut, 'click')} left out: their users clicked every item.`)
  if (judge.validationClicks === 0 && run.best.value === null)
    notes.push(
      `The validation part has no click that training has not seen: the model after epoch ${run.best.epoch} is kept because it is the last.`,
    )
  if (settings.stopOn !== 'unbiased' && settings.stopOn !== 'snips' && LOSS[settings.loss].weights !== 'none')
    notes.push(
      `The epoch was chosen by ${settings.stopOn} on clicks of the logged policy, which favours models that resemble it. Stopping on snips or unbiased does not.`,
    )
  if (judge.withoutSnips !== undefined && LOSS[settings.loss].weights !== 'none')
    notes.push(`SNIPS was not taken: ${judge.withoutSnips}.`)
  if (run.stopped === 'epochs' && run.best.epoch === run.records.length && run.best.value !== null)
    notes.push('The last epoch was the best: more epochs may gain more.')
  return notes
}
