import { describe, expect, it } from 'vitest'
import { type ByteInput, bytesInput } from '../log/bytes/input.js'
import type { Progress } from '../progress.js'
import { readLog } from '../read/read-log.js'
import { diagnose } from './diagnose.js'

const header = 'uid,sku,clicked,p\n'
const rows = Array.from(
  { length: 400 },
  (_, k) => `u${k % 40},i${k % 7},${k % 3 === 0 ? 1 : 0},${20 + (k % 5)}`,
)
// A percentage in every row, a reward that is none, and a row too short.
const table = header + [...rows.with(10, 'u1,i1,maybe,20'), 'u1,i1'].join('\n')
const columns = { user: 'uid', item: 'sku', reward: 'clicked', propensity: 'p' }

/** The table, and how often it was read from its start. */
function countedInput(): { input: ByteInput; streams: () => number } {
  const input = bytesInput('log.csv', new TextEncoder().encode(table))
  let streams = 0
  return {
    input: {
      ...input,
      stream: () => {
        streams++
        return input.stream()
      },
    },
    streams: () => streams,
  }
}

describe('diagnose', () => {
  it('finds mistakes by the mapping a log was read by, and tells them by the names of the file', async () => {
    const { input, streams } = countedInput()
    const { findings } = await diagnose(await readLog(input, { columns, onBadRow: 'keep' }))
    const linesOf = (code: string): unknown => findings.find((finding) => finding.code === code)?.lines
    expect(findings.find(({ code }) => code === 'percentages')).toMatchObject({
      column: 'p',
      lines: [2, 3, 4, 5, 6],
    })
    expect(linesOf('reward-in-words')).toEqual([12])
    expect(linesOf('unreadable-rows')).toEqual([402])
    // Once for the rows, whose lines are known then, and once for how numbers are written.
    expect(streams()).toBe(2)
  })

  it('says how many of its checks are done', async () => {
    const seen: Progress[] = []
    const read = await readLog(countedInput().input, { columns, onBadRow: 'keep' })
    await diagnose(read, { progress: (progress) => void seen.push(progress) })
    const { total } = seen[0]!
    expect(seen.map(({ done }) => done)).toEqual(Array.from({ length: total! }, (_, k) => k + 1))
    expect(seen[0]).toMatchObject({ what: 'examining', unit: 'checks' })
  })

  it('ends when it is interrupted, among the checks and after them', async () => {
    const read = await readLog(countedInput().input, { columns, onBadRow: 'keep' })
    for (const after of [3, Infinity]) {
      const interruption = new AbortController()
      let last = 0
      const work = diagnose(read, {
        signal: interruption.signal,
        progress: ({ done, total }) => {
          last = done
          if (done === Math.min(after, total!)) interruption.abort()
        },
      })
      await expect(work).rejects.toMatchObject({ code: 'interrupted' })
      if (after === 3) expect(last).toBe(3)
    }
  })
})

describe('a log that is expected to have no propensities', () => {
  it('has its problems before that note', async () => {
    const ratings = bytesInput(
      'ratings.dat',
      new TextEncoder().encode('1::2::5::100\n2::1::3::50\n1::1::4::102\n'),
    )
    const read = await readLog(ratings, {
      format: 'movielens',
      onBadRow: 'keep',
      propensity: { kind: 'none' },
    })
    const { findings, clean } = await diagnose(read)
    const levels = findings.map(({ level }) => level)
    expect(findings.map(({ code }) => code)).toContain('no-propensities')
    expect(levels[0]).toBe('problem')
    expect(levels).toEqual(levels.toSorted().toReversed())
    expect(clean).toBe(false)
  })
})

describe('cells that cannot be read', () => {
  it('are found column by column, with their lines', async () => {
    const lines = ['uid,sku,clicked,p,pos', 'u1,i1,1,0.5,1', ',i2,0,0.5,2', 'u2,i1,0,0.5,x', 'u3,,1,0.5,1']
    const input = bytesInput('log.csv', new TextEncoder().encode(lines.join('\n')))
    const read = await readLog(input, { columns: { ...columns, position: 'pos' }, onBadRow: 'keep' })
    const { findings } = await diagnose(read)
    const found = findings
      .filter(({ code }) => code === 'missing-ids' || code === 'unreadable-values')
      .map(({ code, level, column, lines: at, numbers }) => [code, level, column, at, numbers])
    expect(found).toEqual([
      ['missing-ids', 'problem', 'uid', [3], { rows: 1 }],
      ['missing-ids', 'problem', 'sku', [5], { rows: 1 }],
      ['unreadable-values', 'problem', 'pos', [4], { rows: 1 }],
    ])
  })
})
