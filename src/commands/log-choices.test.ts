import { describe, expect, it } from 'vitest'
import { describe as describeCommand } from '../cli/describe.js'
import { readingOptions } from '../cli/log-options.js'
import type { ReadOptions } from '../read/plan.js'
import { describeCommandOf, type LogChoices } from './log-choices.js'
import { context, parsed } from './example-run.js'

/** How the command line would read the log. */
async function readAgain(log: Omit<LogChoices, 'file'>): Promise<Partial<ReadOptions>> {
  const words = describeCommandOf({ log: { file: 'log.csv', ...log } })
  const {
    progress: _,
    signal: __,
    onNote: ___,
    ...options
  } = await readingOptions(parsed(describeCommand, words), context)
  return options
}

describe('describeCommandOf', () => {
  it('is short for a log in the canonical layout', () => {
    const columns = { user: 'user_id', item: 'item_id', reward: 'reward' }
    expect(describeCommandOf({ log: { file: 'log.csv', format: 'canonical', columns } })).toEqual([
      'describe',
      'log.csv',
    ])
  })

  it('names the report if there is one', () => {
    expect(describeCommandOf({ log: { file: 'log.csv' }, report: 'log.html' }).slice(2)).toEqual([
      '--report',
      'log.html',
    ])
  })

  it.each<[Omit<LogChoices, 'file'>, Partial<ReadOptions>]>([
    [{ format: 'movielens', clickFrom: 4 }, { format: 'movielens' }],
    [
      { format: 'movielens', clickFrom: 3.5 },
      { format: 'movielens', clickFrom: 3.5 },
    ],
    [
      { columns: { user: 'the user', item: 'a=b', propensity: 'p' } },
      { columns: { user: 'the user', item: 'a=b', propensity: 'p' } },
    ],
    [{ columns: { user: 'a,b', item: ' padded' } }, { columns: { user: '"a,b"', item: '" padded"' } }],
    [{ header: ['uid', 'sku', 'buy'] }, { header: ['uid', 'sku', 'buy'] }],
    [
      { propensity: 'popularity:0.5', propensityFloor: 1e-7 },
      { propensity: { kind: 'popularity', power: 0.5, floor: 1e-7 } },
    ],
    [{ propensity: 'none' }, { propensity: { kind: 'none' } }],
  ])('reads again what was read with %j', async (log, expected) => {
    expect(await readAgain(log)).toEqual(expected)
  })

  it('skips bad rows again', () => {
    const words = describeCommandOf({ log: { file: 'log.csv', skipBadRows: true } })
    expect(parsed(describeCommand, words).values).toEqual({ 'on-bad-row': 'skip' })
  })

  it('says that a column without a name cannot be typed', () => {
    expect(() => describeCommandOf({ log: { file: 'log.csv', columns: { user: '' } } })).toThrow(
      expect.objectContaining({ code: 'bad-option', message: expect.stringContaining('cannot be typed') }),
    )
  })
})
