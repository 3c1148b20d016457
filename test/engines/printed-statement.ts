import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Evaluation } from '../../src/estimate/evaluation.js'
import { readLogFile } from '../../src/node/read-log.js'
import { hindcast } from '../hindcast.js'
import { alike, warehouseWorld } from '../warehouse-log.js'
import { type FileEngine, putTable } from './engine-sums.js'
import { logTable, type TableFile } from './log-files.js'

/** The targets whose statements are run, and the same for a file. */
const PRINTED: readonly (readonly [printed: string, ofFile: string])[] = [
  ['uniform', 'uniform'],
  ['warehouse:printed_policy', 'table:policy.csv'],
]

const COLUMNS = { user: 'user_id', item: 'item_id', reward: 'clicked', propensity: 'p', time: 'shown_at' }

/** Prints the statement, runs it as a person would, and holds the verdict of its result to that of the rows. */
export async function printedStatements(engine: FileEngine, folder: string): Promise<void> {
  const { folder: here, file, policy } = await warehouseWorld()
  try {
    const { log } = await readLogFile(file)
    const table = logTable(log)
    await putTable(engine, folder, 'printed_log', table)
    await putTable(engine, folder, 'printed_policy', policyTable(policy))
    const kinds = Object.values(COLUMNS).map(
      (name) => `${name}=${table.columns.find((column) => column.name === name)!.kind}`,
    )
    const columns = Object.entries(COLUMNS).map(([column, name]) => `${column}=${name}`)
    for (const [printed, ofFile] of PRINTED) {
      const statement = await hindcast([
        'sql',
        '--dialect',
        engine.dialect.name,
        '--table',
        'printed_log',
        '--target',
        printed,
        '--columns',
        columns.join(','),
        '--kinds',
        kinds.join(','),
        ...(printed === 'uniform' ? [] : ['--policy-columns', 'item=item_id,probability=probability']),
      ])
      expect(statement.code, statement.stderr).toBe(0)
      const cells = await engine.cells(statement.stdout)
      await writeFile(join(here, 'sums.csv'), cells.map(csvLine).join('\n'))
      const answer = async (args: readonly string[]): Promise<Evaluation> => {
        const { code, stderr } = await hindcast([...args, '--json', 'answer.json'], { cwd: here })
        expect(code, stderr).toBeLessThan(2)
        return JSON.parse(await readFile(join(here, 'answer.json'), 'utf8')) as Evaluation
      }
      const fromSums = await answer(['evaluate', '--sums', 'sums.csv'])
      const fromRows = await answer(['evaluate', 'log.csv', '--target', ofFile, '--estimators', 'ips,snips'])
      for (const what of ['verdict', 'estimates'] as const) alike(fromSums[what], fromRows[what], what)
    }
  } finally {
    await rm(here, { recursive: true, force: true })
  }
}

const csvLine = (row: readonly (string | null)[]): string =>
  row.map((cell) => (cell === null ? '' : `"${cell.replaceAll('"', '""')}"`)).join(',')

const policyTable = (rows: readonly { item_id: string; probability: number }[]): TableFile => ({
  data: [
    { name: 'item_id', data: rows.map(({ item_id }) => item_id), type: 'STRING' },
    { name: 'probability', data: Float64Array.from(rows, ({ probability }) => probability), type: 'DOUBLE' },
  ],
  columns: [
    { name: 'item_id', type: 'varchar', kind: 'text' },
    { name: 'probability', type: 'double', kind: 'number' },
  ],
})
