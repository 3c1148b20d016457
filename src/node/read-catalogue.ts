import { readFile } from 'node:fs/promises'
import { HindcastError } from '../error.js'
import { DelimitedReader } from '../log/bytes/delimited.js'
import type { Cell } from '../log/cell.js'
import { cannotRead } from './file-input.js'
import { noteInput } from './protected-inputs.js'

/** All item ids: one per line, or the item column of a CSV. */
export async function readCatalogue(path: string, columns: readonly string[]): Promise<string[]> {
  const { names, records } = await readRecords(path)
  const place = names.findIndex((name) => columns.includes(name))
  if (place >= 0) return records.map((cells) => String(cells[place]))
  if (names.length === 1) return [...names, ...records.map(([id]) => String(id))]
  throw new HindcastError('missing-column', `The catalogue ${path} has no column ${columns.join(' or ')}.`, {
    remedy: 'Give a file with one id per line, or a CSV with the item column.',
  })
}

/** One column of a CSV by item id, which is in the column item_id or in the first one. */
export async function readItemTable(path: string, column: string): Promise<Map<string, string>> {
  const { names, records } = await readRecords(path)
  const place = names.indexOf(column)
  if (place < 0)
    throw new HindcastError('missing-column', `${path} has no column ${column}.`, {
      remedy: `Give a CSV with the columns item_id and ${column}.`,
    })
  const item = Math.max(0, names.indexOf('item_id'))
  return new Map(records.map((cells) => [String(cells[item]), String(cells[place])]))
}

/** The names and records of a small CSV. */
async function readRecords(
  path: string,
): Promise<{ names: readonly string[]; records: (readonly Cell[])[] }> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw cannotRead(path, cause)
  })
  await noteInput(path)
  const records: (readonly Cell[])[] = []
  const reader = new DelimitedReader(',')
  reader.push(text.replace(/^\ufeff/, ''), (_line, cells) => records.push(cells))
  reader.end((_line, cells) => records.push(cells))
  return { names: reader.names, records }
}
