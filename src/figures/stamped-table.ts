import { verdictWord } from '../words/verdict-text.js'
import type { Chart, Table } from './chart.js'

/**
 * The numbers of a chart as its files hold them: where the chart is stamped with a verdict and its rows have none of
 * their own, each carries the stamp, so that no number travels without it.
 */
export function stampedTable({ table, stamp }: Pick<Chart, 'table' | 'stamp'>): Table {
  if (stamp === undefined || table.columns.some(({ name }) => name === 'verdict')) return table
  const word = verdictWord({ level: stamp })
  return {
    columns: [...table.columns, { name: 'verdict', label: 'Verdict', kind: 'verdict' }],
    rows: table.rows.map((row) => [...row, word]),
  }
}
