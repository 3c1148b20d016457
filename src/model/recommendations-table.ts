import { neighboursOf } from '../graph/graph.js'
import { quoteCsv } from '../log/write/text.js'
import type { ProgressListener } from '../progress.js'
import type { NamedModel, RecommendOptions } from './recommend-to-one.js'
import { recommend } from './recommendations.js'

/** Users in a piece of the table. */
const USERS_A_PIECE = 64

/** The recommendations for all users as a CSV with user_id, item_id, rank and score, a piece of users at a time. */
export function* recommendationsTable(
  { model, card }: NamedModel,
  { top, includesClicked = false }: RecommendOptions,
  progress?: ProgressListener,
): Generator<string> {
  yield 'user_id,item_id,rank,score\n'
  for (let start = 0; start < model.users; start += USERS_A_PIECE) {
    let piece = ''
    const end = Math.min(model.users, start + USERS_A_PIECE)
    for (let user = start; user < end; user++) {
      const clicked = includesClicked ? undefined : neighboursOf(model.graph.byUser, user)
      for (const { item, rank, score } of recommend(model.scores(user), top, card.itemIds, clicked))
        piece += `${quoteCsv(card.userIds[user]!)},${quoteCsv(item)},${rank},${score}\n`
    }
    yield piece
    progress?.({ what: 'recommending', done: end, total: model.users, unit: 'users' })
  }
}
