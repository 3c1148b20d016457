import type { SchemaElement } from 'hyparquet'
import { neighboursOf } from '../graph/graph.js'
import { areWholeNumbers } from '../log/ids.js'
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

/** About so many rows are kept together: the file never is in memory as a whole. */
const ROWS_A_GROUP = 122_880

/**
 * The recommendations for all users as a Parquet file with user_id, item_id, rank and score, a group of rows at a time: the
 * columns that a policy of scores in a table has. Ids are INT64 where all are whole numbers, as in a log.
 */
export async function* recommendationsParquet(
  { model, card }: NamedModel,
  { top, includesClicked = false }: RecommendOptions,
  progress?: ProgressListener,
): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer')
  const [users, items] = [idColumn('user_id', card.userIds), idColumn('item_id', card.itemIds)]
  const bytes = new ByteWriter()
  const parquet = new ParquetWriter({ writer: bytes, schema: schemaOf(users, items) })
  const placeOf = new Map(card.itemIds.map((id, place) => [id, place]))
  let rows: Rows = { user: [], item: [], rank: [], score: [] }
  const flushed = (): Uint8Array => {
    const piece = bytes.getBytes().slice()
    bytes.index = 0
    return piece
  }
  const group = (): Uint8Array => {
    void parquet.write({
      columnData: [
        { name: users.name, data: rows.user.map((user) => users.values[user]!) },
        { name: items.name, data: rows.item.map((item) => items.values[item]!) },
        { name: 'rank', data: Int32Array.from(rows.rank) },
        { name: 'score', data: Float64Array.from(rows.score) },
      ],
      rowGroupSize: rows.user.length,
    })
    rows = { user: [], item: [], rank: [], score: [] }
    return flushed()
  }
  for (let user = 0; user < model.users; user++) {
    const clicked = includesClicked ? undefined : neighboursOf(model.graph.byUser, user)
    for (const { item, rank, score } of recommend(model.scores(user), top, card.itemIds, clicked)) {
      rows.user.push(user)
      rows.item.push(placeOf.get(item)!)
      rows.rank.push(rank)
      rows.score.push(score)
    }
    if (rows.user.length >= ROWS_A_GROUP) {
      yield group()
      progress?.({ what: 'recommending', done: user + 1, total: model.users, unit: 'users' })
    }
  }
  if (rows.user.length > 0) yield group()
  parquet.finish()
  yield flushed()
}

/** Rows as places of users and items. */
interface Rows {
  readonly user: number[]
  readonly item: number[]
  readonly rank: number[]
  readonly score: number[]
}

interface IdValues {
  readonly name: string
  readonly isWhole: boolean
  readonly values: readonly (string | bigint)[]
}

function idColumn(name: string, ids: readonly string[]): IdValues {
  const isWhole = areWholeNumbers(ids)
  return { name, isWhole, values: isWhole ? ids.map(BigInt) : ids }
}

const schemaOf = (...ids: readonly IdValues[]): SchemaElement[] => [
  { name: 'root', num_children: 4 },
  ...ids.map(({ name, isWhole }): SchemaElement =>
    isWhole
      ? { name, type: 'INT64', repetition_type: 'REQUIRED' }
      : { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
  ),
  { name: 'rank', type: 'INT32', repetition_type: 'REQUIRED' },
  { name: 'score', type: 'DOUBLE', repetition_type: 'REQUIRED' },
]
