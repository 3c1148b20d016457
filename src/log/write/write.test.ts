import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { readLog } from '../../read/read-log.js'
import { bytesInput } from '../bytes/input.js'
import { orderOfIds } from '../ids.js'
import type { Log } from '../log.js'
import { parquetBytes } from './parquet.js'
import { catalogueCsv, csvText, ndjsonText } from './text.js'

const encode = (pieces: Iterable<string>): Uint8Array => new TextEncoder().encode([...pieces].join(''))
const writers: [string, (log: Log) => Uint8Array | Promise<Uint8Array>][] = [
  ['CSV', (log) => encode(csvText(log))],
  ['NDJSON', (log) => encode(ndjsonText(log))],
  ['Parquet', parquetBytes],
]

interface Row {
  user: string
  item: string
  slate: string
  cluster: string
  reward: number
  propensity: number
  target: number
  position: number
  time: number
  weight: number
}

/** The log of some rows, as reading them would give it. */
function logOf(rows: readonly Row[]): Log {
  const indexed = (column: 'user' | 'item' | 'slate' | 'cluster'): [Uint32Array, string[]] => {
    const distinct = [...new Set(rows.map((row) => row[column]))]
    const ids = Array.from(orderOfIds(distinct), (place) => distinct[place]!)
    return [Uint32Array.from(rows, (row) => ids.indexOf(row[column])), ids]
  }
  const numbers = (
    column: 'reward' | 'propensity' | 'target' | 'position' | 'time' | 'weight',
  ): Float64Array => Float64Array.from(rows, (row) => row[column])
  const [user, userIds] = indexed('user')
  const [item, itemIds] = indexed('item')
  const [slate, slateIds] = indexed('slate')
  const [cluster, clusterIds] = indexed('cluster')
  return {
    rows: rows.length,
    user,
    userIds,
    item,
    itemIds,
    slate,
    slateIds,
    cluster,
    clusterIds,
    catalogueKnown: false,
    propensitySource: 'logged',
    reward: numbers('reward'),
    propensity: numbers('propensity'),
    target: numbers('target'),
    position: numbers('position'),
    time: numbers('time'),
    weight: numbers('weight'),
  }
}

/** The log with its numbers as bits, so that no two are taken for equal that are not. */
const inBits = (log: Log): unknown =>
  Object.fromEntries(
    Object.entries(log).map(([name, value]: [string, unknown]) => [
      name,
      value instanceof Float64Array ? new BigUint64Array(value.slice().buffer) : value,
    ]),
  )

async function expectSame(bytes: Uint8Array, log: Log): Promise<void> {
  const read = await readLog(bytesInput('log', bytes))
  expect(inBits(read.log)).toEqual(inBits(log))
}

const id = fc.oneof(
  fc.integer().map(String),
  fc.string({ minLength: 1, unit: 'binary' }),
  fc.constantFrom(
    'a,b',
    'say "hi"',
    '"',
    'two\nlines',
    'two\r\nlines',
    '\r',
    ' x ',
    '007',
    '1e3',
    '-0',
    '漢字',
    '🙂',
    'null',
    'true',
  ),
  fc.constantFrom(
    '9007199254740993',
    '9223372036854775808',
    '-9007199254740993',
    '\ufeffbom',
    "'",
    '\\',
    '::',
    '\t',
  ),
)
// A file with NUL in it is taken for no text at all.
const safeId = id.filter((text) => !text.includes('\0'))
const finite = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, Number.MIN_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE, 0.1 + 0.2, 1e21, 2 ** 53 + 2),
)
const positive = fc.double({ min: Number.MIN_VALUE, max: 1, noNaN: true })
const anyRow: fc.Arbitrary<Row> = fc.record({
  user: safeId,
  item: safeId,
  slate: safeId,
  cluster: safeId,
  reward: finite,
  propensity: positive,
  target: fc.oneof(positive, fc.constantFrom(0, 1)),
  position: fc.nat(),
  time: finite,
  weight: fc.double({ min: Number.MIN_VALUE, noNaN: true, noDefaultInfinity: true }),
})

describe.each(writers)('%s', (_name, bytesOf) => {
  it('gives back the same log, bit by bit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 12 }), async (rows) => {
        const log = logOf(rows)
        await expectSame(await bytesOf(log), log)
      }),
      { numRuns: 150, seed: 1 },
    )
  })

  const row = {
    user: '1',
    item: '1',
    slate: 's',
    cluster: 'c',
    propensity: 0.5,
    target: 1,
    position: 0,
    time: 0,
    weight: 1,
  }

  it('gives back zeros with their signs, however often they occur', async () => {
    const log = logOf(Array.from({ length: 200 }, (_, k) => ({ ...row, reward: k % 3 === 0 ? -0 : 0 })))
    await expectSame(await bytesOf(log), log)
  })

  it('gives back a log of many pieces, and from gzip too', async () => {
    const log = logOf(
      Array.from({ length: 10_000 }, (_, k) => ({
        ...row,
        user: String((k * 7919) % 500),
        item: `i${k % 30}`,
        reward: k / 7,
      })),
    )
    const bytes = await bytesOf(log)
    await expectSame(bytes, log)
    await expectSame(gzipSync(bytes), log)
  })

  it('writes only the columns that the log has', async () => {
    const {
      slate: _s,
      slateIds: _t,
      position: _p,
      time: _i,
      cluster: _c,
      clusterIds: _d,
      weight: _w,
      target: _g,
      ...bare
    } = logOf([{ ...row, reward: 1 }])
    await expectSame(await bytesOf(bare), bare)
  })
})

describe('csvText', () => {
  it('writes canonical names, and quotes where it must', () => {
    const [row] = fc.sample(anyRow, { numRuns: 1, seed: 1 })
    const log = logOf([
      {
        ...row!,
        user: 'a"b',
        item: '007',
        slate: ' s',
        cluster: 'c',
        reward: -0,
        propensity: 1e-7,
        target: 0.5,
        position: 2,
        time: 1e21,
        weight: 3,
      },
    ])
    expect([...csvText(log)].join('')).toBe(
      'user_id,item_id,reward,propensity,target_prob,slate_id,position,timestamp,cluster,weight\n' +
        '"a""b",007,-0,1e-7,0.5," s",2,1e+21,c,3\n',
    )
  })
})

it('writes a catalogue as one column of ids', () => {
  expect(catalogueCsv(['7', 'a,b'])).toBe('item_id\n7\n"a,b"\n')
})

describe('a Parquet file written elsewhere', () => {
  const user = { name: 'user_id', data: ['a', 'b'] }
  const item = { name: 'item_id', data: [7n, 8n] }
  const reward = { name: 'reward', data: [true, false] }
  const propensity = { name: 'propensity', data: [0.5, 0.25] }
  const write = (columnData: Parameters<typeof parquetWriteBuffer>[0]['columnData']): Uint8Array =>
    new Uint8Array(parquetWriteBuffer({ columnData }))

  it('is read whatever the order and the types of its columns', async () => {
    const time = { name: 'timestamp', data: [new Date(1000), new Date(2000)] }
    const bytes = write([propensity, time, { name: 'note', data: ['x', 'y'] }, reward, item, user])
    const { log, lineUnit } = await readLog(bytesInput('log.parquet', bytes))
    expect(log).toMatchObject({ userIds: ['a', 'b'], itemIds: ['7', '8'] })
    expect(Array.from(log.reward)).toEqual([1, 0])
    expect(Array.from(log.propensity!)).toEqual([0.5, 0.25])
    expect(Array.from(log.time!)).toEqual([1000, 2000])
    expect(lineUnit).toBe('row')
  })

  it('is read from a window on a larger buffer, as files read in Node are', async () => {
    const bytes = write([user, item, reward, propensity])
    const larger = Buffer.concat([Buffer.from('before'), bytes, Buffer.from('behind')])
    const { log } = await readLog(bytesInput('log.parquet', larger.subarray(6, 6 + bytes.length)))
    expect(log.userIds).toEqual(['a', 'b'])
  })

  it('names the row, the column and the value of a bad cell, whatever else the row holds', async () => {
    const bytes = write([
      { ...user, data: ['a', null] },
      item,
      reward,
      { ...propensity, data: [0.5, 25] },
      { name: 'history', data: [[1n], [2n, 3n]], type: 'JSON' },
    ])
    await expect(readLog(bytesInput('log.parquet', bytes))).rejects.toMatchObject({
      message: expect.stringContaining(
        '\n  row 2, column propensity = "25": must be a probability',
      ) as string,
      cells: [
        { line: 2, column: 'user_id', reason: 'missing' },
        { line: 2, column: 'propensity', value: '25' },
      ],
    })
  })

  it('is refused when it is truncated', async () => {
    const bytes = write([user, item, reward, propensity])
    await expect(readLog(bytesInput('log.parquet', bytes.subarray(0, -10)))).rejects.toMatchObject({
      code: 'bad-file',
      message: 'log.parquet cannot be read as Parquet: it is truncated or damaged.',
      remedy: expect.any(String),
    })
  })
})
