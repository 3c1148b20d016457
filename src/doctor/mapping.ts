import { advice, set } from '../advice.js'
import type { Check, Finding } from './finding.js'

/** Finds two columns of the log that were read from one column of the file. */
export const checkMapping: Check = ({ mapping }) => {
  const readers = new Map<string, string[]>()
  for (const [column, name] of Object.entries(mapping)) {
    // A cluster says which rows belong together, so it may well be the user or the slate.
    if (column !== 'cluster') readers.set(name, [...(readers.get(name) ?? []), column])
  }
  const findings: Finding[] = []
  for (const [name, columns] of readers) {
    if (columns.length < 2) continue
    findings.push({
      code: 'column-mapped-twice',
      level: 'problem',
      column: columns[0]!,
      seen: `Column ${name} of the file is read as ${columns.join(' and as ')}.`,
      why: 'One column cannot mean two things; at least one of them comes from the wrong column.',
      remedy: advice`Name a column for each with ${set('columns', columns.map((column) => `${column}=…`).join(','))}.`,
      numbers: { columns: columns.length },
      rows: [],
    })
  }
  return findings
}
