import type { Column } from '../../log/columns.js'
import { canonical } from '../../log/formats/canonical.js'
import { formatNamed } from '../../log/formats/index.js'
import { namesBehind } from '../../log/values/origin.js'
import type { ReadOptions } from '../plan.js'

/** What the file of a log calls its columns: a policy for that log may call its own alike. */
export type NamesInLog = Readonly<Record<'user' | 'item' | 'probability', readonly string[]>>

/** The names by which a log is read; for probabilities those of a target policy come first. */
export function namesInLog({ format, columns }: Pick<ReadOptions, 'format' | 'columns'>): NamesInLog {
  const sources = { ...formatNamed(format ?? canonical.name).columns, ...columns }
  const namesOf = (column: Column): string[] => {
    const source = sources[column] ?? []
    if (typeof source === 'string') return [source, ...nameWithin(source, column)]
    return 'anyOf' in source ? [...source.anyOf] : []
  }
  return {
    user: namesOf('user'),
    item: namesOf('item'),
    probability: [...namesOf('target'), ...namesOf('propensity')],
  }
}

/** The one column behind a value such as `comma(p)` or `p / 100`; none behind a name that is no value. */
function nameWithin(text: string, column: Column): string[] {
  try {
    const names = namesBehind({ [column]: [text] }, [])
    return names.length === 1 ? names : []
  } catch {
    return []
  }
}
