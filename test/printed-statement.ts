import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Evaluation } from '../src/estimate/evaluation.js'
import { hindcast } from './hindcast.js'
import { alike, type WarehouseWorld } from './warehouse-log.js'

/** Where an engine has the tables of a world, and how it answers. */
export interface PrintedFor {
  readonly dialect: string
  /** The tables of the log and of the policy. */
  readonly log: string
  readonly policy: string
  /** The column of the table that each column of the log is, and what its cells are. */
  readonly columns: Readonly<Record<string, readonly [name: string, kind: string]>>
  /** The result of a statement that is sent as it is, as texts. */
  readonly cells: (statement: string) => Promise<readonly (readonly (string | null)[])[]>
}

/** Prints the statement for a target, runs it as a person would, and holds the verdict of its result to that of the rows. */
export async function printedVerdicts({ folder }: WarehouseWorld, engine: PrintedFor): Promise<void> {
  const listed = Object.entries(engine.columns)
  const asked = [
    'sql',
    '--dialect',
    engine.dialect,
    '--table',
    engine.log,
    '--columns',
    listed.map(([column, [name]]) => `${column}=${name}`).join(','),
    '--kinds',
    listed.map(([, [name, kind]]) => `${name}=${kind}`).join(','),
  ]
  const inTable = [`warehouse:${engine.policy}`, '--policy-columns', 'item=item_id,probability=probability']
  for (const [printed, ofFile] of [
    [['uniform'], 'uniform'],
    [inTable, 'table:policy.csv'],
  ] as const) {
    const statement = await hindcast([...asked, '--target', ...printed])
    expect(statement.code, statement.stderr).toBe(0)
    const cells = await engine.cells(statement.stdout)
    await writeFile(join(folder, 'sums.csv'), cells.map(csvLine).join('\n'))
    const answer = async (args: readonly string[]): Promise<Evaluation> => {
      const { code, stderr } = await hindcast([...args, '--json', 'answer.json'], { cwd: folder })
      expect(code, stderr).toBeLessThan(2)
      return JSON.parse(await readFile(join(folder, 'answer.json'), 'utf8')) as Evaluation
    }
    const fromSums = await answer(['evaluate', '--sums', 'sums.csv'])
    const fromRows = await answer(['evaluate', 'log.csv', '--target', ofFile, '--estimators', 'ips,snips'])
    expect(fromRows.estimates.map(({ value }) => value)).not.toContain(null)
    for (const what of ['verdict', 'estimates'] as const) alike(fromSums[what], fromRows[what], what)
  }
}

const csvLine = (row: readonly (string | null)[]): string =>
  row.map((cell) => (cell === null ? '' : `"${cell.replaceAll('"', '""')}"`)).join(',')
