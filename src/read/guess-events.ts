import { type Cell, cellId } from '../log/cell.js'
import type { Column } from '../log/columns.js'
import type { Kinds } from '../log/join/join-options.js'
import { isHappened } from '../log/values/outcome-words.js'
import { contentOf } from './synonyms.js'
import { guessColumns, type SeenColumn } from './guess-columns.js'
import type { FormatGuess } from './guess-format.js'

/** A file that seems to hold events of two kinds, and how they would be joined. */
export interface EventsGuess {
  readonly kinds: Kinds
  /** The column of the decisions with their ids, and that of the outcomes which names them. */
  readonly decision: string
  readonly outcome: string
  /** The columns of the decisions: all that were guessed but rewards, which the outcomes give. */
  readonly columns: Readonly<Partial<Record<Column, string>>>
}

const SHOWN = /^(impression|imp$|view|show|serve|expos|decision|recommend|display|request)/i
/** More kinds are no kinds, and fewer shared ids may be chance. */
const MOST_KINDS = 6
const FEWEST_SHARED = 3

/**
 * Recognises a file of events, judging by its first rows: a column with few values, one of them for what was shown and
 * another for what happened, and ids of the shown that the happened name. Undefined for any other file.
 */
export function guessEvents(seen: readonly SeenColumn[], format: FormatGuess): EventsGuess | undefined {
  const single = seen.filter(({ isList }) => !isList)
  for (const { name, cells } of single) {
    const texts = cells.map((cell) => (typeof cell === 'string' ? cell : undefined))
    const values = new Set(texts)
    if (values.size < 2 || values.size > MOST_KINDS || values.has(undefined)) continue
    const decisions = ([...values] as string[]).filter((value) => SHOWN.test(value))
    const outcomes = ([...values] as string[]).filter((value) => isHappened(value) && !SHOWN.test(value))
    if (decisions.length !== 1 || outcomes.length === 0) continue
    const others = single.filter((column) => column.name !== name)
    const only = (kinds: readonly string[]): SeenColumn[] =>
      others.map((column) => {
        const kept = column.cells.filter((_, k) => kinds.includes(texts[k]!))
        return { ...column, cells: kept, content: contentOf(kept) }
      })
    const [shown, happened] = [only(decisions), only(outcomes)]
    const join = bestJoin(shown, happened)
    if (!join) continue
    const { guesses, missing } = guessColumns(
      shown.filter((column) => column.name !== join.decision),
      format,
    )
    const likeliest = missing.find(({ column }) => column === 'propensity')?.candidates[0]
    return {
      kinds: { column: name, decisions, outcomes },
      ...join,
      columns: Object.fromEntries([
        ...guesses.flatMap(({ column, names }) => (column === 'reward' ? [] : [[column, names[0]!]])),
        ...(likeliest === undefined ? [] : [['propensity', likeliest]]),
      ]) as EventsGuess['columns'],
    }
  }
  return undefined
}

/** The columns whose ids most of the outcomes share with the decisions, which have each of them once. */
function bestJoin(
  shown: readonly SeenColumn[],
  happened: readonly SeenColumn[],
): Pick<EventsGuess, 'decision' | 'outcome'> | undefined {
  const pairs = shown.flatMap((decision) => {
    const ids = new Set(idsOf(decision.cells))
    if (decision.content === 'times' || ids.size < decision.cells.length) return []
    return happened.flatMap((outcome) => {
      const named = outcome.content === 'times' ? [] : idsOf(outcome.cells)
      const shared = named.filter((id) => ids.has(id)).length
      const isMost = shared >= FEWEST_SHARED && shared * 2 > outcome.cells.length
      return isMost ? [{ decision: decision.name, outcome: outcome.name, shared }] : []
    })
  })
  const [best] = pairs.toSorted((a, b) => b.shared - a.shared)
  return best && { decision: best.decision, outcome: best.outcome }
}

const idsOf = (cells: readonly Cell[]): string[] => cells.flatMap((cell) => cellId(cell) ?? [])
