import { type NamedFile, textFile } from '../named-file.js'
import type { EpochRecord, Training } from './training.js'

/** The name of the file with everything about a training. */
export const TRAINING_FILE = 'training.json'

/** The name of the file with one line per epoch. */
export const EPOCHS_FILE = 'epochs.ndjson'

/** `epochs.ndjson`: one line per epoch. */
export const epochsFile = (records: readonly EpochRecord[]): NamedFile =>
  textFile(EPOCHS_FILE, records.map((record) => `${JSON.stringify(record)}\n`).join(''))

/** `training.json`: everything about a training. */
export const trainingFile = (training: Training): NamedFile =>
  textFile(TRAINING_FILE, `${JSON.stringify(inReadingOrder(training), null, 2)}\n`)

/** A training as it is written: what the model would earn and how it stands beside others first, then clicks as logged, the long list of epochs last. */
export function inReadingOrder(training: Training): Training {
  const { schema, log, certificate, ranked, best, stopped, notes, settings, weights, epochs, ...others } =
    training
  return {
    schema,
    log,
    ...(certificate && { certificate }),
    ranked: ranked.map(({ model, policy, lead, test, validation, ...rated }) => ({
      model,
      ...(policy && { policy }),
      ...(lead && { lead }),
      ...rated,
      test,
      validation,
    })),
    best,
    stopped,
    ...others,
    notes,
    settings,
    weights,
    epochs,
  }
}
