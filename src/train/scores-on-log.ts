import { advice, set } from '../advice.js'
import { badOption } from '../error.js'
import { featuresOf } from '../log/contexts.js'
import type { Log } from '../log/log.js'
import { type EmbeddingModel, scoresOfFeatures } from '../model/embedding-model.js'
import type { SavedModel } from '../model/model-files.js'
import { isLinear } from '../model/trained-models.js'
import { counted, formatCount } from '../number-text.js'

/** The scores of a saved model on a log, and of how many of its items. */
export function scoresOnLog(
  saved: SavedModel,
  log: Log,
  folder: string,
): { readonly scores: ContextScores; readonly items: number } {
  const items = placesOf('item', log.itemIds, saved.card.itemIds, folder, () => true)
  const by = isLinear(saved.card.kind) ? scoresByFeatures : scoresByUser
  return { scores: by(saved, log, items, folder), items: items.length }
}

/** Scores in each context of a log, or for each of its users. */
export interface ContextScores {
  /** How many contexts there are, and the scores in each. */
  readonly count: number
  readonly of: (context: number) => Float32Array
  /** Whether contexts are those of the log, not its users. */
  readonly byFeatures: boolean
}

function scoresByUser(
  { model, card }: SavedModel,
  log: Log,
  items: Uint32Array,
  folder: string,
): ContextScores {
  const occurs = new Uint8Array(log.userIds.length)
  for (const user of log.user) occurs[user] = 1
  const users = placesOf('user', log.userIds, card.userIds, folder, (user) => occurs[user] === 1)
  const of = (user: number): Float32Array => {
    const all = model.scores(users[user]!)
    return Float32Array.from(items, (item) => all[item]!)
  }
  return { count: log.userIds.length, of, byFeatures: false }
}

/** A linear policy scores contexts by the features it was trained on, new users too. */
function scoresByFeatures(
  { model }: SavedModel,
  log: Log,
  items: Uint32Array,
  folder: string,
): ContextScores {
  const linear = model as EmbeddingModel
  const { names } = linear.features!
  const { contexts } = log
  const columns = names.map((name) => contexts?.names.indexOf(name) ?? -1)
  if (!contexts || columns.includes(-1))
    throw badOption(
      `The model ${folder} scores items by ${counted(names.length, 'feature')}: ${names.join(', ')}.`,
      advice`Name the columns of the log that hold them: ${set('features', names.join(','))}.`,
    )
  const of = (context: number): Float32Array => {
    const features = featuresOf(contexts, context)
    const all = scoresOfFeatures(
      linear,
      columns.map((column) => features[column]!),
    )
    return Float32Array.from(items, (item) => all[item]!)
  }
  return { count: contexts.user.length, of, byFeatures: true }
}

/** The model's index of each id of the log. Ids that need none and have none get an index past the end. */
function placesOf(
  what: 'user' | 'item',
  ids: readonly string[],
  known: readonly string[],
  folder: string,
  isNeeded: (index: number) => boolean,
): Uint32Array {
  const places = new Map(known.map((id, place) => [id, place]))
  const unknown = ids.filter((id, index) => isNeeded(index) && !places.has(id))
  if (unknown.length > 0) {
    const named = unknown.slice(0, 3).map((id) => JSON.stringify(id))
    throw badOption(
      `The model ${folder} does not know ${formatCount(unknown.length)} of the log’s ${counted(ids.length, what)}: ${named.join(', ')}${unknown.length > 3 ? ', …' : ''}.`,
      what === 'user'
        ? advice`Train it on a log that has these users, or evaluate a file of its scores with ${set('missingUser', 'logging')}.`
        : advice`Train it on a log that has these items (${set('catalogue')} adds items that were never shown), or remove them from this log.`,
    )
  }
  return Uint32Array.from(ids, (id) => places.get(id) ?? known.length)
}
