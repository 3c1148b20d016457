import { neighboursOf } from '../graph/graph.js'
import { spreadsheetCsv } from '../log/write/text.js'
import type { ProgressListener } from '../progress.js'
import { type NamedModel, recommend, type RecommendOptions } from './recommendations.js'

/** Users in a piece of the table. */
const USERS_A_PIECE = 64

/** One line of the recommendations for all users. */
interface RecommendedLine {
  readonly user: string
  readonly item: string
  readonly rank: number
  readonly score: number
}

/**
 * The recommendations for all users as a CSV with user_id, item_id, rank and score, a piece of users at a time. An id
 * that a spreadsheet would run as a formula gets a ' before it; `recommendationsNdjson` keeps all ids as they are.
 */
export function* recommendationsTable(
  named: NamedModel,
  options: RecommendOptions,
  progress?: ProgressListener,
): Generator<string> {
  yield 'user_id,item_id,rank,score\n'
  yield* inPieces(
    named,
    options,
    ({ user, item, rank, score }) => `${spreadsheetCsv(user)},${spreadsheetCsv(item)},${rank},${score}\n`,
    progress,
  )
}

/** The same as one JSON object per line, with ids as they are. */
export const recommendationsNdjson = (
  named: NamedModel,
  options: RecommendOptions,
  progress?: ProgressListener,
): Generator<string> =>
  inPieces(
    named,
    options,
    ({ user, item, rank, score }) => `${JSON.stringify({ user_id: user, item_id: item, rank, score })}\n`,
    progress,
  )

function* inPieces(
  { model, card }: NamedModel,
  { top, includesClicked = false }: RecommendOptions,
  write: (line: RecommendedLine) => string,
  progress: ProgressListener | undefined,
): Generator<string> {
  for (let start = 0; start < model.users; start += USERS_A_PIECE) {
    let piece = ''
    const end = Math.min(model.users, start + USERS_A_PIECE)
    for (let user = start; user < end; user++) {
      const clicked = includesClicked ? undefined : neighboursOf(model.graph.byUser, user)
      for (const recommended of recommend(model.scores(user), top, card.itemIds, clicked))
        piece += write({ user: card.userIds[user]!, ...recommended })
    }
    yield piece
    progress?.({ what: 'recommending', done: end, total: model.users, unit: 'users' })
  }
}
