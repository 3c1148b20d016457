import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readLog } from '../../read/read-log.js'
import { type Cell, cellNumber } from '../cell.js'
import type { ColumnOrigins } from '../bad-rows.js'
import { BatchCollector } from './batch-collector.js'
import { DelimitedReader } from './delimited.js'
import { bytesInput } from './input.js'
import { PlainTable } from './plain-table.js'

const NAMES = ['user', 'item', 'note', 'reward', 'propensity']
const ORIGINS: ColumnOrigins = {
  user: ['user'],
  item: ['item'],
  reward: ['reward'],
  propensity: ['propensity'],
}

/** What a collector has, with the texts of its ids; numbers by their bits. */
function collected(collector: BatchCollector): unknown[] {
  const { rows, ids, numbers } = collector.flush()
  const texts = (column: 'user' | 'item'): (string | undefined)[] =>
    Array.from(ids[column]!, (code) => (code === 0xffffffff ? undefined : collector.idText(column, code)))
  const bits = (values: Float64Array): bigint[] => [...new BigUint64Array(values.slice().buffer)]
  return [rows, texts('user'), texts('item'), bits(numbers.reward!), bits(numbers.propensity!)]
}

describe('PlainTable', () => {
  const number = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.double({ min: 0, max: 1, noNaN: true }).map(String),
    fc.integer({ min: -1000, max: 1000 }).map(String),
    fc.constantFrom('', '-0', '+1', '.5', '5.', '.', '-', ' 1', '1 ', '1e-3', 'true', 'inf', 'x', '1.2.3'),
    fc.constantFrom(
      '9007199254740991',
      '9007199254740993',
      '0.19084590070348597',
      '00.10',
      '1.7976931348623157e309',
    ),
  )
  const id = fc.oneof(
    fc.integer({ min: 0, max: 2_000_000 }).map(String),
    fc.constantFrom('', '007', '0', '-3', '1.0', 'a', 'b 2', '12345678901234567890', '999999999', '1048576'),
  )
  const line = fc.tuple(id, id, fc.constantFrom('', 'n', '3'), number, number)

  it('collects what a reader of text collects, to the bit, whatever the cells hold', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 9, arbitrary: line }, fc.constant([]))),
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom(',', '\t', '|'),
        (lines, newline, delimiter) => {
          const text = lines.map((cells) => cells.join(delimiter) + newline).join('')
          const [quick, usual] = [new BatchCollector(NAMES, ORIGINS), new BatchCollector(NAMES, ORIGINS)]
          const bytes = new TextEncoder().encode(text)
          expect(PlainTable.of(quick, NAMES, delimiter)!.read(bytes)).toEqual({
            taken: bytes.length,
            isPlain: true,
          })
          const reader = new DelimitedReader(delimiter, NAMES)
          reader.push(text, usual.visit)
          reader.end(usual.visit)
          expect(collected(quick)).toEqual(collected(usual))
        },
      ),
    )
  })

  it.each([
    ['a quote', '1,2,"n",0,1\n'],
    ['a letter beyond ASCII', '1,2,ä,0,1\n'],
    ['a return that ends a line', '1,2,n,0,1\r3,4,n,0,1\n'],
    ['a cell too many', '1,2,n,0,1,7\n'],
    ['a cell too few', '1,2,n,0\n'],
  ])('stops before a line with %s', (_what, odd) => {
    const collector = new BatchCollector(NAMES, ORIGINS)
    const bytes = new TextEncoder().encode(`1,2,n,0,1\n${odd}5,6,n,0,1\n`)
    expect(PlainTable.of(collector, NAMES, ',')!.read(bytes)).toEqual({ taken: 10, isPlain: false })
    expect(collector.flush().rows).toBe(1)
  })

  it('leaves a line that has not ended for later', () => {
    const collector = new BatchCollector(NAMES, ORIGINS)
    const { taken } = PlainTable.of(collector, NAMES, ',')!.read(new TextEncoder().encode('1,2,n,0,1\n3,4,n'))
    expect(taken).toBe(10)
  })

  it('is not for values that are computed, and not for cells that are used twice', () => {
    const made = (origins: ColumnOrigins): PlainTable | undefined =>
      PlainTable.of(new BatchCollector(NAMES, origins), NAMES, ',')
    expect(made({ ...ORIGINS, propensity: ['propensity / 100'] })).toBeUndefined()
    expect(made({ ...ORIGINS, user: ['user', 'note'] })).toBeUndefined()
    expect(made({ ...ORIGINS, item: ['user'] })).toBeUndefined()
  })
})

describe('reading a table', () => {
  const header = 'user_id,item_id,reward,propensity\n'

  it('gives the same log where it stops being plain in the middle, wherever pieces are cut', async () => {
    const lines = ['1,10,0,0.5', '2,"20",1,0.25', '', '3,ü,1,0.125', '4,10,0,1']
    const bytes = new TextEncoder().encode(header + lines.join('\n'))
    const whole = await readLog(bytesInput('log.csv', bytes))
    for (let size = 1; size < bytes.length; size += 3) {
      const input = {
        ...bytesInput('log.csv', bytes),
        async *stream() {
          for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
        },
      }
      expect((await readLog(input)).log).toEqual(whole.log)
    }
    expect(whole.log.itemIds).toEqual(['10', '20', 'ü'])
  })

  it('reads numbers as they are written', async () => {
    const cells = ['0.03339803262311004', '0.019084590070348597', '1', '0.1', '1e-5']
    const text = header + cells.map((cell, k) => `${k},1,0,${cell}\n`).join('')
    const { log } = await readLog(bytesInput('log.csv', new TextEncoder().encode(text)))
    expect([...log.propensity!]).toEqual(cells.map((cell: Cell) => cellNumber(cell)))
  })
})
