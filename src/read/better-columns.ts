import { readHead } from '../log/bytes/head.js'
import type { ByteInput } from '../log/bytes/input.js'
import { cellId } from '../log/cell.js'
import type { JoinFacts } from '../log/join/join-facts.js'
import type { Kinds } from '../log/join/join-options.js'
import { type FirstRows, firstRowsOfParquet, firstRowsOfText } from './first-rows.js'
import type { JoinColumns } from './join-plan.js'
import { formatOf, type ReadOptions } from './plan.js'

/** A pair of columns shares this many ids at least, and twice as many as those that were joined. */
const FEWEST = 3

/** The ids in the first rows of each column. */
type FirstIds = ReadonlyMap<string, ReadonlySet<string>>

/**
 * The columns of two files whose first rows share the most ids, where that is more than the columns that were joined
 * share; undefined if no others do better. Columns with few different values agree by chance, and are left out.
 */
export async function betterColumns(
  { decisions, outcomes, kinds }: { decisions: ByteInput; outcomes: ByteInput; kinds?: Kinds },
  joined: JoinColumns,
  options: ReadOptions,
): Promise<JoinFacts['better']> {
  const [shown, events] = [
    await firstIds(decisions, options, kinds && { column: kinds.column, values: kinds.decisions }),
    await firstIds(outcomes, options, kinds && { column: kinds.column, values: kinds.outcomes }),
  ]
  const sharedBy = (decision: string, outcome: string): number => {
    const ids = shown.get(decision)
    return ids ? [...(events.get(outcome) ?? [])].filter((id) => ids.has(id)).length : 0
  }
  const pairs = [...shown.keys()].flatMap((decision) =>
    [...events.keys()].map((outcome) => ({ decision, outcome, shared: sharedBy(decision, outcome) })),
  )
  const [found] = pairs.toSorted((a, b) => b.shared - a.shared)
  const now = sharedBy(joined.decision, joined.outcome)
  return found && found.shared >= Math.max(FEWEST, 2 * now + 1) ? found : undefined
}

async function firstIds(
  input: ByteInput,
  options: ReadOptions,
  only: { readonly column: string; readonly values: readonly string[] } | undefined,
): Promise<FirstIds> {
  const head = await readHead(input)
  const known = { format: formatOf(options), header: options.header }
  const first: FirstRows = head.isParquet
    ? await firstRowsOfParquet(input, head.wraps, known)
    : firstRowsOfText(head, known)
  const { names } = first.container
  const kind = only ? names.indexOf(only.column) : -1
  const records = first.records.filter(
    (record) => kind < 0 || only!.values.includes(cellId(record[kind]) ?? ''),
  )
  const ids = names.map((name, k): [string, Set<string>] => [
    name,
    new Set(records.flatMap((record) => cellId(record[k]) ?? [])),
  ])
  // Ids of decisions are nearly all different; users, items and kinds are not.
  return new Map(ids.filter(([, distinct]) => distinct.size > 1 && distinct.size * 2 > records.length))
}
