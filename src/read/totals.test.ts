import { describe, expect, it } from 'vitest'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { bytesInput } from '../log/bytes/input.js'
import { readTotals, type Totals } from './totals.js'

const read = (content: string | Uint8Array): Promise<Totals> =>
  readTotals(bytesInput('totals', typeof content === 'string' ? new TextEncoder().encode(content) : content))
const days = [
  { day: '2026-03-01', rows: 1200, reward: 34.5 },
  { day: '2026-03-02', rows: 1100, reward: 30 },
]

describe('readTotals', () => {
  it('reads days from CSV, TSV, JSON and Parquet', async () => {
    expect(await read('day,rows,reward\n2026-03-01,1200,34.5\n2026-03-02,1100,30\n')).toEqual({ days })
    expect(
      await read('Reward;Day;Rows\n34.5;2026-03-01T00:00:00Z;1200\n30;2026-03-02 00:00:00;1100\n'),
    ).toEqual({ days })
    expect(await read(JSON.stringify(days))).toEqual({ days })
    expect(await read(days.map((day) => JSON.stringify(day)).join('\n'))).toEqual({ days })
    const columnData = [
      { name: 'day', data: days.map(({ day }) => new Date(`${day}T00:00:00Z`)), type: 'TIMESTAMP' as const },
      { name: 'rows', data: BigInt64Array.from(days, ({ rows }) => BigInt(rows)), type: 'INT64' as const },
      { name: 'reward', data: Float64Array.from(days, ({ reward }) => reward), type: 'DOUBLE' as const },
    ]
    expect(await read(new Uint8Array(parquetWriteBuffer({ columnData })))).toEqual({ days })
  })

  it('reads one row for all of the log, and leaves out what is empty', async () => {
    expect(await read('rows,reward\n1200,34\n')).toEqual({ rows: 1200, reward: 34 })
    expect(await read('day,rows,reward\n2026-03-01,1200,\n')).toEqual({
      days: [{ day: '2026-03-01', rows: 1200 }],
    })
    expect(await read('day,reward\n2026-03-01,3\n')).toEqual({ days: [{ day: '2026-03-01', reward: 3 }] })
  })

  it.each([
    [
      'day,clicks\n2026-03-01,3\n',
      'totals has neither a column rows nor a column reward; it has day and clicks.',
    ],
    ['day,rows\n1.3.2026,3\n', 'totals, row 1: the day is "1.3.2026".'],
    ['day,rows\n2026-03-01,"1,200"\n', 'totals, row 1, rows is "1,200", not a number.'],
    ['day,rows\n2026-03-01,3\n2026-03-01,4\n', 'totals has the day 2026-03-01 more than once.'],
    ['rows\n3\n4\n', 'totals has 2 rows and no column day.'],
    ['day,rows\n', 'totals has no rows.'],
  ])('says what is wrong with %j', async (content, message) => {
    await expect(read(content)).rejects.toThrow(message)
  })
})
