import { readFile } from 'node:fs/promises'
import { HindcastError } from '../error.js'
import { DelimitedReader } from '../log/bytes/delimited.js'
import type { Cell } from '../log/cell.js'

/** The ids of all items: a line each, or the item column of a CSV. */
export async function readCatalogue(path: string, columns: readonly string[]): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new HindcastError('not-found', `The catalogue ${path} cannot be read.`, {
      remedy: 'Check the path.',
      cause,
    })
  })
  const records: (readonly Cell[])[] = []
  const reader = new DelimitedReader(',')
  reader.push(text, (_line, cells) => records.push(cells))
  reader.end((_line, cells) => records.push(cells))
  const place = reader.names.findIndex((name) => columns.includes(name))
  if (place >= 0) return records.map((cells) => String(cells[place]))
  if (reader.names.length === 1) return [...reader.names, ...records.map(([id]) => String(id))]
  throw new HindcastError('missing-column', `The catalogue ${path} has no column ${columns.join(' or ')}.`, {
    remedy: 'Give a file with one id a line, or a CSV with the item column.',
  })
}
