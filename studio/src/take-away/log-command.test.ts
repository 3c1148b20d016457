import { describe, expect, it } from 'vitest'
import { logCommand } from './log-command.js'

describe('logCommand', () => {
  it('draws a world again with its seed and its bias', () => {
    expect(logCommand({ kind: 'toy', seed: 7 })).toEqual({
      lines: ['hindcast simulate toy --out toy.csv --seed 7 --catalogue toy-items.csv'],
      log: { file: 'toy.csv', catalogue: 'toy-items.csv' },
    })
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
})
