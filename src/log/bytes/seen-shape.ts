import type { Head } from './head.js'
import { type Shape, ShapeFinder } from '../shape.js'
import type { TextReader, Visit } from './text-reader.js'

/** Rows that are looked at: keys that the first of them lack are rare. */
const LOOKED_AT = 1000

/** What the cells of the first records of a text hold besides single values. A record cut off at the end is left out. */
export function seenShape(reader: TextReader, { text, isWhole }: Head): Shape {
  const records: (readonly unknown[])[] = []
  const visit: Visit = (_line, cells, broken) => {
    if (broken === undefined && records.length < LOOKED_AT) records.push(cells)
  }
  reader.push(text, visit)
  if (isWhole) reader.end(visit)
  const finder = new ShapeFinder(reader.names)
  for (const cells of records)
    reader.names.forEach((name, k) => {
      const cell = cells[k]
      if (typeof cell === 'object' || typeof cell === 'string') finder.add(name, cell)
    })
  return finder.shape()
}
