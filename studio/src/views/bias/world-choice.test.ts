import { describe, expect, it } from 'vitest'
import { openLog } from '../../desk/open-log.js'
import { worldChoice } from './world-choice.js'

const none = { world: '', noise: 0 }
const csv = (users: number, items: number): File =>
  new File(
    [
      'user_id,item_id,reward,propensity\n',
      ...Array.from({ length: users * 3 }, (_, k) => `${k % users},${k % items},${k % 2},0.5\n`),
    ],
    'clicks.csv',
  )

describe('the world to explore', () => {
  it('is the one that the log came from, with its seed and its bias', async () => {
    const toy = await openLog({ kind: 'toy', seed: 9 }, {})
    expect(worldChoice(toy, { ...none, world: 'movielens' })).toMatchObject({
      world: { kind: 'toy' },
      seed: 9,
      exposures: 5,
    })
    expect(worldChoice(toy, none).place).toBeUndefined()
    const source = { kind: 'movielens', seed: 4, temperature: 8 } as const
    expect(worldChoice({ ...toy, source }, { ...none, noise: 0.1 })).toMatchObject({
      world: { kind: 'movielens', noise: 0.1 },
      seed: 4,
      temperature: 5,
    })
    expect(worldChoice({ ...toy, source }, { ...none, noise: 7 }).world).toMatchObject({ noise: 0 })
  })

  it('is modelled on a file, as large as the file up to what can be drawn at once', async () => {
    const open = (file: File) => openLog({ kind: 'file', file, reading: {} }, {})
    const small = worldChoice(await open(csv(20, 10)), none)
    expect(small).toMatchObject({ users: 20, exposures: 3, world: { kind: 'log', users: 20 } })
    expect(small.note).toContain('its 10 items')
    expect(small.place).toBe('a world modelled on clicks.csv')
    const large = worldChoice(await open(csv(3000, 2500)), none)
    expect(large).toMatchObject({ users: 1000, exposures: 3 })
    expect(large.note).toContain('its 2,000 most shown items of 2,500')
    expect(worldChoice(await open(csv(20, 10)), { ...none, world: 'toy' }).world).toEqual({ kind: 'toy' })
  })
})
