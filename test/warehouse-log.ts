import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { readLogFile } from '../src/node/read-log.js'
import { hindcast, type Shown } from './hindcast.js'

/** A row of the log, with a key, a column of another policy, a time and a device. */
interface Impression {
  readonly impression_id: number
  readonly user_id: string
  readonly item_id: string
  readonly reward: number
  readonly propensity: number
  readonly other: number
  readonly timestamp: string
  readonly device: string
}

/** One log, for a file and for a table of a warehouse, and policies for both. */
export interface WarehouseWorld {
  readonly folder: string
  /** The log as a file there; beside it `policy.csv` and `scores.csv`. */
  readonly file: string
  readonly impressions: readonly Impression[]
  readonly policy: readonly { readonly item_id: string; readonly probability: number }[]
  /** Not of all users. */
  readonly scores: readonly { readonly user_id: string; readonly item_id: string; readonly score: number }[]
}

/** When a row was shown: an hour after the one before. */
export const shownAt = (row: number): Date => new Date(Date.UTC(2026, 2, 1) + row * 3_600_000)
export const deviceOf = (row: number): string => (row % 3 === 0 ? 'phone' : 'desk')

/** Writes the files, and returns what their tables are to hold. */
export async function warehouseWorld(): Promise<WarehouseWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'hindcast-warehouse-'))
  const drawn = join(folder, 'drawn.csv')
  const size = ['--users', '40', '--items', '8', '--exposures', '15']
  await hindcast(['simulate', 'tastes', '--seed', '3', ...size, '--out', drawn])
  const { log } = await readLogFile(drawn)
  const impressions = Array.from({ length: log.rows }, (_, row) => ({
    impression_id: row + 1,
    user_id: log.userIds[log.user[row]!]!,
    item_id: log.itemIds[log.item[row]!]!,
    reward: log.reward[row]!,
    propensity: log.propensity![row]!,
    other: (log.propensity![row]! + 1 / 8) / 2,
    timestamp: shownAt(row).toISOString(),
    device: deviceOf(row),
  }))
  const policy = log.itemIds.map((item_id, k) => ({ item_id, probability: Math.fround((k + 1) / 36) }))
  const scores = log.userIds
    .slice(0, 30)
    .flatMap((user_id, u) =>
      log.itemIds.map((item_id, i) => ({ user_id, item_id, score: Math.sin(7 * u + i) })),
    )
  const write = (name: string, rows: readonly object[]): Promise<void> =>
    writeFile(
      join(folder, name),
      [Object.keys(rows[0]!), ...rows.map(Object.values)].map((cells) => cells.join(',')).join('\n'),
    )
  await write('log.csv', impressions)
  await write('policy.csv', policy)
  await write('scores.csv', scores)
  return { folder, file: join(folder, 'log.csv'), impressions, policy, scores }
}

/** The JSON of a command on the file and on the table, which `there` runs it on. */
export async function onBoth<Answer>(
  { folder, file }: WarehouseWorld,
  there: (command: string, args: readonly string[]) => Promise<Shown>,
  command: string,
  ofFile: readonly string[],
  ofTable: readonly string[] = ofFile,
): Promise<{ inFile: Answer; inTable: Answer; shown: Shown }> {
  const [first, second] = [join(folder, 'file.json'), join(folder, 'table.json')]
  const here = await hindcast([command, file, ...ofFile, '--json', first], { cwd: folder })
  const shown = await there(command, [...ofTable, '--json', second])
  expect(onOneLine(shown.stderr)).toContain('came back.')
  expect(shown.code, shown.stderr).toBe(here.code)
  const read = async (path: string): Promise<Answer> => JSON.parse(await readFile(path, 'utf8')) as Answer
  return { inFile: await read(first), inTable: await read(second), shown }
}

export const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** Equal but for the last digits of numbers, and for who summed. */
export function alike(found: unknown, expected: unknown, where = ''): void {
  if (typeof expected === 'number' && typeof found === 'number') {
    const close = Math.abs(found - expected) <= 1e-9 * Math.max(1, Math.abs(expected))
    expect(close, `${where}: ${found} and ${expected}`).toBe(true)
  } else if (expected !== null && typeof expected === 'object') {
    expect(found, where).toBeTypeOf('object')
    for (const [key, value] of Object.entries(expected))
      if (key !== 'sums' && key !== 'target' && key !== 'baseline')
        alike((found as Record<string, unknown>)?.[key], value, `${where}.${key}`)
  } else if (typeof expected === 'string')
    expect((found as string).replaceAll(/(warehouse|table|scores):\S+/g, 'P'), where).toBe(
      expected.replaceAll(/(warehouse|table|scores):\S+/g, 'P'),
    )
  else expect(found, where).toBe(expected)
}
