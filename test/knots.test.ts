import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './markdown-pages.js'

/** Sizes of the knots of each room that are known, the largest first. Make them smaller, never larger. */
const KNOWN: Readonly<Record<string, readonly number[]>> = {
  estimate: [2],
  kernels: [3],
  log: [2, 2],
  read: [2, 2],
  report: [2],
  sql: [2],
  studio: [15],
  study: [2, 2, 2, 2],
  train: [10, 2],
}

const filesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|svelte)$/.test(file) && !/\.test\.ts$|(^|\/)example-[^/]*$/.test(file))
    .map((file) => join(folder, file))

/** The files that each file imports, types included, less those loaded when they are needed. */
function importsAmong(files: readonly string[]): Map<string, readonly string[]> {
  const known = new Set(files)
  const places = { $core: 'src' } as Readonly<Record<string, string>>
  return new Map(
    files.map((file) => {
      const named = [...readFileSync(join(root, file), 'utf8').matchAll(/\bfrom '(\.[^']+|\$core\/[^']+)'/g)]
      const paths = named.map(([, name]) => {
        const [place] = name!.split('/', 1) as [string]
        const path = places[place] ? name!.replace(place, places[place]) : join(dirname(file), name!)
        return normalize(path).replace(/\.js$/, '.ts')
      })
      return [file, paths.filter((path) => known.has(path))]
    }),
  )
}

/** Groups of files of which each leads to each other by imports (Tarjan, 1972), those of several files. */
function knotsAmong(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const [order, low] = [new Map<string, number>(), new Map<string, number>()]
  const open: string[] = []
  const knots: string[][] = []
  const visit = (file: string): void => {
    order.set(file, order.size)
    low.set(file, order.get(file)!)
    open.push(file)
    for (const to of imports.get(file)!) {
      if (!order.has(to)) visit(to)
      if (open.includes(to)) low.set(file, Math.min(low.get(file)!, low.get(to)!))
    }
    if (low.get(file) !== order.get(file)) return
    const knot = open.splice(open.indexOf(file))
    if (knot.length > 1) knots.push(knot.toSorted())
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return knots
}

/** `estimate`, `studio`; of a knot across several rooms, all of them. */
const roomOf = (file: string): string =>
  file.startsWith('src/') ? (file.split('/').length > 2 ? file.split('/')[1]! : '.') : file.split('/')[0]!
const roomsOf = (knot: readonly string[]): string => [...new Set(knot.map(roomOf))].toSorted().join(' + ')

describe('files that import each other in a circle, types included', () => {
  it('are found', () => {
    const example = { a: ['b'], b: ['c', 'd'], c: ['a'], d: ['e'], e: ['d'], f: ['a'] }
    expect(knotsAmong(new Map(Object.entries(example)))).toEqual([
      ['d', 'e'],
      ['a', 'b', 'c'],
    ])
  })

  it('are no more than those that are known, room by room', () => {
    const files = ['src', 'studio/src', 'study/src'].flatMap(filesOf)
    const knots = knotsAmong(importsAmong(files))
    for (const room of new Set(knots.map(roomsOf))) {
      const own = knots.filter((knot) => roomsOf(knot) === room).toSorted((a, b) => b.length - a.length)
      const known = KNOWN[room] ?? []
      const grown = own.filter((knot, k) => knot.length > (known[k] ?? 0))
      expect(
        grown,
        `${room}: ${JSON.stringify(own.map(({ length }) => length))} where ${JSON.stringify(known)} are known`,
      ).toEqual([])
    }
  })
})
