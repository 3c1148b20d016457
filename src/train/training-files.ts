import type { Log } from '../log/log.js'
import { stampOf } from '../log/stamp.js'
import type { EmbeddingModel } from '../model/embedding-model.js'
import { linearPolicy } from '../model/embedding-store.js'
import type { ModelToSave } from '../model/model-files.js'
import type { ClickModel } from '../model/model.js'
import { isLinear } from '../model/trained-models.js'
import { type NamedFile, textFile } from '../named-file.js'
import type { Trained } from './train.js'
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

/** The model and the ids of its users. A linear policy has none, and leaves the contexts behind that it was trained on. */
function withoutContexts(model: ClickModel, log: Log): Pick<ModelToSave, 'model' | 'userIds'> {
  if (!isLinear(model.kind)) return { model, userIds: log.userIds }
  const { final, dim, users, items, features } = model as EmbeddingModel
  const weights = final.slice(users * dim)
  return { model: linearPolicy(items, weights, features!), userIds: [] }
}

/** The model of the best epoch as it is saved, with the ids and the stamp of its log and the file that it came from. */
export function modelToSave(
  { model, training }: Pick<Trained<ClickModel>, 'model' | 'training'>,
  log: Log,
  file?: string,
): ModelToSave {
  const { epochs, best, settings } = training
  const kept = epochs.find(({ epoch }) => epoch === best.epoch)
  const validation = training.ranked[0]?.validation
  const solved =
    epochs.length === 0 && validation
      ? { ndcg: validation.ndcg.value, recall: validation.recall.value }
      : undefined
  return {
    ...withoutContexts(model, log),
    settings,
    itemIds: log.itemIds,
    seed: settings.seed,
    epoch: best.epoch,
    metrics: {
      loss: kept?.loss ?? null,
      ndcg: (kept ?? solved)?.ndcg ?? null,
      recall: (kept ?? solved)?.recall ?? null,
      ...(training.meanRating !== undefined && { meanRating: training.meanRating }),
    },
    made: { ...(file !== undefined && { file }), ...stampOf(log) },
  }
}
