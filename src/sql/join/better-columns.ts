import type { JoinFacts } from '../../log/join/join-facts.js'
import type { Dialect } from '../dialect.js'
import type { SqlEngine } from '../engine.js'
import { textSql } from '../table-relation.js'
import { idColumn, type JoinTable, type JoinTables } from './join-table.js'

/** Ids are looked for in so many rows. */
const SAMPLE = 1000
/** A pair of columns shares this many ids at least, and twice as many as those that were joined. */
const FEWEST = 3
/** Of tables with many columns of ids, so many of each are compared. */
const MOST_COLUMNS = 6

/**
 * The columns of two tables that share the most ids, where that is more than the columns that were joined share; undefined
 * if no others do better. Asked only where most outcomes have no decision.
 */
export async function betterColumns(
  engine: SqlEngine,
  { decisions, outcomes }: JoinTables,
): Promise<JoinFacts['better']> {
  const [shown, came] = [await idColumns(engine, decisions), await idColumns(engine, outcomes)]
  const sharedBy = async (decision: string, outcome: string): Promise<number> =>
    (await engine.numbers(sharedQuery(engine.dialect, { decisions, outcomes }, { decision, outcome })))[0]?.[0] ?? 0 // prettier-ignore
  const now = await sharedBy(idColumn(decisions).name, idColumn(outcomes).name)
  let best: JoinFacts['better']
  for (const decision of shown)
    for (const outcome of came) {
      const shared = await sharedBy(decision, outcome)
      if (shared >= Math.max(FEWEST, 2 * now + 1) && shared > (best?.shared ?? 0))
        best = { decision, outcome, shared }
    }
  return best
}

/** The columns whose ids nearly all differ in some rows: users, items and kinds do not, and agree by chance. */
async function idColumns(engine: SqlEngine, { columns, relation }: JoinTable): Promise<string[]> {
  const { dialect } = engine
  const candidates = columns.filter(({ kind }) => kind === 'text' || kind === 'integer' || kind === 'uuid')
  if (candidates.length === 0) return []
  const cells = candidates.map((column, k) => `${textSql(dialect, column)} AS c${k}`)
  const asked = ['count(*)', ...candidates.map((_, k) => `count(DISTINCT c${k})`)].map(dialect.double)
  const [[rows, ...distinct] = []] = await engine.numbers(
    `SELECT ${asked.join(', ')} FROM (SELECT ${cells.join(', ')} FROM ${relation.from} LIMIT ${SAMPLE}) AS sampled`,
  )
  return candidates
    .filter((_, k) => distinct[k]! > 1 && distinct[k]! * 2 > rows!)
    .map(({ name }) => name)
    .slice(0, MOST_COLUMNS)
}

/** A query for how many ids of some outcomes a column of the decisions has. */
function sharedQuery(
  dialect: Dialect,
  { decisions, outcomes }: JoinTables,
  { decision, outcome }: { readonly decision: string; readonly outcome: string },
): string {
  const cell = ({ columns }: JoinTable, name: string): string =>
    textSql(
      dialect,
      columns.find((column) => column.name === name)!,
    )
  const some = `SELECT ${cell(outcomes, outcome)} AS some_id FROM ${outcomes.relation.from} LIMIT ${SAMPLE}`
  const shown = `SELECT ${cell(decisions, decision)} AS shown_id FROM ${decisions.relation.from}`
  return `SELECT ${dialect.double('count(DISTINCT some_id)')} FROM (${some}) AS sampled WHERE some_id IN (SELECT shown_id FROM (${shown}) AS decided WHERE shown_id IS NOT NULL)`
}
