import { describe, expect, it } from 'vitest'
import { commandLine } from '$core/commands/command-line.js'
import { describeCommandOf } from '$core/commands/log-choices.js'
import { logCommand } from './log-command.js'

describe('logCommand', () => {
  it('draws a world again with its seed and its bias', () => {
    expect(logCommand({ kind: 'toy', seed: 7 })).toEqual({
      lines: ['hindcast simulate toy --out toy.csv --seed 7 --catalogue toy-items.csv'],
      log: { file: 'toy.csv', catalogue: 'toy-items.csv' },
    })
    expect(logCommand({ kind: 'shop', seed: 1 }).lines).toEqual([
      'hindcast simulate tastes --out shop.csv --seed 1 --users 200 --items 100 --exposures 30 --popularity-quality=-0.5 --catalogue shop-items.csv',
    ])
    expect(logCommand({ kind: 'movielens', seed: 0, temperature: 0.5 }).lines).toEqual([
      'hindcast simulate movielens --out movielens.csv --temperature 0.5 --catalogue movielens-items.csv --dataset simulated-100k',
    ])
  })

  it('names a file with the choices that it was read with', () => {
    const reading = { columns: { user: 'uid' }, propensity: 'popularity' }
    expect(logCommand({ kind: 'file', file: new File([], 'clicks.csv'), reading })).toEqual({
      lines: [],
      log: { file: 'clicks.csv', ...reading },
    })
  })

  it('names the file with the outcomes, and how they are joined', () => {
    const join = { decision: 'impression_id', wait: 600_000, several: 'first' as const }
    const source = { kind: 'file', file: new File([], 'shown.csv'), reading: { join } } as const
    const { log } = logCommand({ ...source, outcomes: { file: new File([], 'clicks.csv') } })
    expect(commandLine(describeCommandOf({ log }))).toBe(
      'hindcast describe shown.csv --columns decision=impression_id --outcomes clicks.csv --wait 10m --reward first',
    )
    const kinds = { column: 'event', decisions: ['view'], outcomes: ['click', 'order'] }
    expect(commandLine(describeCommandOf(logCommand({ ...source, outcomes: { kinds } })))).toContain(
      '--kind event:view=decision,click=outcome,order=outcome',
    )
  })
})
