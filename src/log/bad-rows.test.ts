import { describe, expect, it } from 'vitest'
import { asFields, worded } from '../advice.js'
import type { Progress } from '../progress.js'
import { readLog } from '../read/read-log.js'
import type { ReadLog, ReadOptions } from '../read/plan.js'
import { type BadCell, BadRowsError } from './bad-rows.js'
import { bytesInput } from './bytes/input.js'
import { type Column, COLUMNS, isIdColumn } from './columns.js'
import { reasonFor, remedyFor, RULES } from './rules.js'
import type { RawRow } from './source.js'
import { quarantineCsv, quarantineNdjson } from './write/text.js'

const HEADER = 'user_id,item_id,reward,propensity,target_prob,slate_id,position,timestamp,cluster,weight'
const good = {
  user_id: 'u',
  item_id: 'i',
  reward: '1',
  propensity: '0.5',
  target_prob: '0.5',
  slate_id: 's',
  position: '1',
  timestamp: '2024-01-01',
  cluster: 'c',
  weight: '1',
}
const row = (change: Partial<typeof good> = {}): string =>
  `${Object.values({ ...good, ...change }).join(',')}\n`
const read = (rows: readonly string[], options: ReadOptions = {}): Promise<ReadLog> =>
  readLog(bytesInput('log.csv', new TextEncoder().encode(`${HEADER}\n${rows.join('')}`)), options)

async function errorOf(rows: readonly string[], options: ReadOptions = {}): Promise<BadRowsError> {
  const error: unknown = await read(rows, options).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(BadRowsError)
  return error as BadRowsError
}

describe('the rules of a log', () => {
  const probability = 'must be a probability above 0 and at most 1'
  const cases: [column: keyof typeof good, value: string, reason: string][] = [
    ['user_id', '', 'missing'],
    ['item_id', '', 'missing'],
    ['slate_id', '', 'missing'],
    ['cluster', '', 'missing'],
    ['reward', '', 'missing'],
    ['reward', ' ', 'missing'],
    ['reward', 'good', 'must be a finite number'],
    ['reward', 'inf', 'must be a finite number'],
    ['reward', '1e999', 'must be a finite number'],
    ['propensity', '0', probability],
    ['propensity', '-0.1', probability],
    ['propensity', '1.0000001', probability],
    ['propensity', 'NaN', 'missing'],
    ['target_prob', '-0.1', 'must be a probability from 0 to 1'],
    ['target_prob', '1.1', 'must be a probability from 0 to 1'],
    ['position', '1.5', 'must be a whole number, 0 or more'],
    ['position', '-1', 'must be a whole number, 0 or more'],
    [
      'timestamp',
      '2024-02-30',
      'must be a time: a date such as 2024-05-01T12:30:00Z, or a number such as seconds since 1970',
    ],
    ['weight', '0', 'must be a finite number above 0'],
    ['weight', 'inf', 'must be a finite number above 0'],
  ]

  it.each(cases)('refuse %s = %j, and say where it stands', async (column, value, reason) => {
    const error = await errorOf([row(), row({ [column]: value }), row()])
    expect(error.code).toBe('bad-rows')
    expect(error.rows).toBe(1)
    expect(error.cells).toEqual([
      { file: 'log.csv', line: 3, column, value: value === '' ? undefined : value, reason },
    ])
    const told = value === '' ? '' : ` = ${JSON.stringify(value)}`
    expect(error.message).toBe(`log.csv: 1 row cannot be used.\n  line 3, column ${column}${told}: ${reason}`)
  })

  it('let the ends of every range stand', async () => {
    const { log } = await read([
      row({ propensity: '1', target_prob: '0', position: '0', reward: '-3.5', weight: '1e-9' }),
      row({ propensity: '5e-324', target_prob: '1', timestamp: '-1' }),
    ])
    expect(log.rows).toBe(2)
  })

  it('have words for every column: what is wrong and what to do', () => {
    for (const column of COLUMNS) {
      expect(reasonFor(column, undefined)).toBe('missing')
      expect(reasonFor(column, '?')).toMatch(isIdColumn(column) ? /^not an id/ : /^must be an? /)
      expect(worded(remedyFor(column), asFields)).toMatch(/^[A-Z].*\.$/)
      if (!isIdColumn(column)) expect(RULES[column].least).toBeLessThan(RULES[column].most)
    }
    expect(remedyFor(undefined)).toMatch(/truncated/)
    for (const column of COLUMNS) expect(remedyFor(column)).not.toBe(remedyFor(undefined))
  })
})

describe('bad rows', () => {
  it('are told by the name their column has in the file', async () => {
    const input = bytesInput('x.csv', new TextEncoder().encode('uid,sku,clicked,p\n1,2,maybe,0.5\n'))
    const columns = { user: 'uid', item: 'sku', reward: 'clicked', propensity: 'p' }
    await expect(readLog(input, { columns })).rejects.toMatchObject({
      cells: [{ column: 'clicked', value: 'maybe' }],
    })
  })

  it('are told once for every cell, in the order of the file', async () => {
    const error = await errorOf([row({ weight: '0', reward: 'x' }), row({ user_id: '' })])
    expect(error.rows).toBe(2)
    expect(error.cells.map(({ line, column }) => [line, column])).toEqual([
      [2, 'reward'],
      [2, 'weight'],
      [3, 'user_id'],
    ])
  })

  it('are told once where the row as a whole cannot be read', async () => {
    const error = await errorOf([row(), 'u,i\n'])
    expect(error.cells).toEqual([
      {
        file: 'log.csv',
        line: 3,
        column: undefined,
        value: undefined,
        reason: 'has 2 fields where 10 are expected',
      },
    ])
    expect(error.message).toContain('\n  line 3: has 2 fields where 10 are expected')
  })

  it('are counted in all, and the first twenty shown', async () => {
    const rows = Array.from({ length: 3000 }, (_, k) => row(k % 2 === 0 ? {} : { propensity: String(k + 1) }))
    const error = await errorOf(rows)
    expect(error.rows).toBe(1500)
    expect(error.cells).toHaveLength(20)
    expect(error.cells[0]).toMatchObject({ line: 3, value: '2' })
    expect(error.cells[19]).toMatchObject({ line: 41, value: '40' })
    expect(error.message).toMatch(/^log.csv: 1,500 rows cannot be used\.\n/)
    expect(error.message).toMatch(/\n {2}… and more; 1,500 rows in all\.$/)
    expect(error.changes).toEqual([{ setting: 'onBadRow', value: 'skip' }])
  })

  it('have their values shortened in the message, not in the cell', async () => {
    const value = 'x'.repeat(100)
    const error = await errorOf([row({ reward: value })])
    expect(error.cells[0]!.value).toBe(value)
    expect(error.message).toContain(`"${'x'.repeat(37)}…"`)
  })

  it('can be left out: the rest is read as if they had never been', async () => {
    const skipped: { cell: BadCell; raw: RawRow }[] = []
    const rows = [
      row({ user_id: 'b' }),
      row({ user_id: 'gone', reward: '?', weight: '-1' }),
      row({ user_id: 'a', reward: '0' }),
    ]
    const {
      log,
      skipped: count,
      linesOf,
    } = await read(rows, {
      onBadRow: 'skip',
      onSkipped: (bad) => void skipped.push(...bad),
    })
    expect(count).toBe(1)
    expect(log).toEqual((await read([rows[0]!, rows[2]!])).log)
    expect(await linesOf([1, 0, 1])).toEqual([4, 2, 4])
    expect(skipped.map(({ cell }) => cell.column)).toEqual(['reward', 'weight'])
    expect(skipped[0]!.raw).toEqual({
      line: 3,
      cells: { ...good, user_id: 'gone', reward: '?', weight: '-1' },
    })
  })

  it('can be written aside with line, column, value and reason', async () => {
    let text = ''
    let json = ''
    await read([row(), row({ item_id: '"a, b"', reward: '?' })], {
      onBadRow: 'skip',
      onSkipped: (bad) => {
        text = [...quarantineCsv(bad)].join('')
        json = [...quarantineNdjson(bad)].join('')
      },
    })
    expect(text).toBe(
      `bad_line,bad_column,bad_value,reason,${HEADER}\n` +
        '3,reward,?,must be a finite number,u,"a, b",?,0.5,0.5,s,1,2024-01-01,c,1\n',
    )
    expect(JSON.parse(json)).toMatchObject({
      file: 'log.csv',
      line: 3,
      column: 'reward',
      row: { item_id: 'a, b' },
    })
  })

  it('are an error even when they may be left out, if there are no others', async () => {
    const error = await errorOf([row({ reward: '?' }), row({ reward: '!' })], { onBadRow: 'skip' })
    expect(error.rows).toBe(2)
  })

  it('can be kept, for the doctor: missing numbers are NaN, missing ids are the empty id', async () => {
    const { log, skipped, broken, linesOf } = await read(
      [row({ user_id: '', propensity: '50' }), row({ reward: '?' }), 'cut off\n'],
      { onBadRow: 'keep' },
    )
    expect(skipped).toBe(0)
    expect(log.userIds).toEqual(['', 'u'])
    expect(Array.from(log.user)).toEqual([0, 1, 0])
    expect(Array.from(log.reward)).toEqual([1, NaN, NaN])
    expect(Array.from(log.propensity!)).toEqual([50, 0.5, NaN])
    expect(await linesOf([2])).toEqual([4])
    expect(
      ([undefined, 'user', 'reward', 'propensity', 'item'] as (Column | undefined)[]).map((c) =>
        broken.count(c),
      ),
    ).toEqual([1, 1, 1, 1, 0])
    expect(broken.cells.map(({ row: place }) => place)).toEqual([0, 0, 1, 2])
  })
})

describe('reading', () => {
  it('refuses a table without rows', async () => {
    await expect(read([])).rejects.toMatchObject({ code: 'bad-file', message: 'log.csv has no rows.' })
  })

  it('orders ids by number where all are whole numbers, else as text, wherever they stand', async () => {
    const idsOf = async (ids: readonly string[]): Promise<readonly string[]> =>
      (await read(ids.map((id) => row({ user_id: id })))).log.userIds
    expect(await idsOf(['10', '9', '-1', '10', '0'])).toEqual(['-1', '0', '9', '10'])
    expect(await idsOf(['10', '9', 'x'])).toEqual(['10', '9', 'x'])
    expect(await idsOf(['10', '007', '7'])).toEqual(['007', '10', '7'])
    expect(await idsOf(['9007199254740993', '9007199254740992', '5'])).toEqual([
      '5',
      '9007199254740992',
      '9007199254740993',
    ])
  })

  it('says how far it has come, of all the bytes of the file', async () => {
    const seen: Progress[] = []
    const rows = Array.from({ length: 20_000 }, () => row())
    await read(rows, { progress: (progress) => void seen.push(progress) })
    const total = HEADER.length + 1 + rows.join('').length
    for (const progress of seen) expect(progress).toMatchObject({ what: 'reading', total, unit: 'bytes' })
    const done = seen.map((progress) => progress.done)
    expect(done[0]).toBeLessThan(total)
    expect(done).toEqual(done.toSorted((x, y) => x - y))
    expect(done.at(-1)).toBe(total)
  })

  it('stops when it is interrupted, before the first row and after it', async () => {
    const early = new AbortController()
    early.abort()
    await expect(read([row()], { signal: early.signal })).rejects.toMatchObject({ code: 'interrupted' })
    const late = new AbortController()
    const rows = Array.from({ length: 20_000 }, () => row())
    await expect(read(rows, { signal: late.signal, progress: () => late.abort() })).rejects.toMatchObject({
      code: 'interrupted',
    })
  })
})

describe('rewards that are not numbers', () => {
  const remedyOf = async (...rewards: string[]): Promise<string> =>
    worded((await errorOf(rewards.map((reward) => row({ reward })))).remedy!, asFields)

  it('are told how to be read: words by the one that counts 1, empty cells by their column', async () => {
    expect(await remedyOf('clicked', 'viewed')).toContain(
      'The rewards are words ("clicked", "viewed"). If "clicked" counts as 1 and all others as 0, use',
    )
    expect(await remedyOf('clicked', 'viewed')).toContain("reward = 'clicked'")
    expect(await remedyOf('good', 'bad')).toContain('Say which of them counts as 1')
    expect(await remedyOf('', '')).toContain('filled(reward, 0)')
  })

  it('are empty where they hold what programs write for a missing value, which never counts as a click', async () => {
    expect(await remedyOf(String.raw`\N`, 'NULL', 'NaN', '<NA>')).toContain('filled(reward, 0)')
    const { log } = await read(
      [String.raw`\N`, 'None', '', '1'].map((reward) => row({ reward })),
      { columns: { reward: 'filled(reward, 0)' } },
    )
    expect([...log.reward]).toEqual([0, 0, 0, 1])
  })

  it('are 1 and 0 where they say yes and no', async () => {
    const { log } = await read(['Y', 'n', 'Yes', 'no', 'T', 'f'].map((reward) => row({ reward })))
    expect([...log.reward]).toEqual([1, 0, 1, 0, 1, 0])
  })
})

it('names the value that reads propensities on another scale', async () => {
  const remedyOf = async (...propensities: string[]): Promise<string> =>
    worded((await errorOf(propensities.map((propensity) => row({ propensity })))).remedy!, asFields)
  expect(await remedyOf('-1.2', '-0.3')).toContain('exp(propensity)')
  expect(await remedyOf('12.5', '3')).toMatch(/propensity \/ 100.*1 \/ propensity/s)
  expect(await remedyOf('125', '3')).not.toContain('/ 100')
  expect(await remedyOf('1/6', '1 in 20')).toContain('Write each as one number')
  expect(await remedyOf('-1', '12.5')).toContain('Log the probability')
})

it('keeps no bad rows as a header alone', () => {
  expect([...quarantineCsv([])]).toEqual(['bad_line,bad_column,bad_value,reason\n'])
  expect([...quarantineNdjson([])]).toEqual([])
})
