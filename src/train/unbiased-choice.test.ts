import { describe, expect, it } from 'vitest'
import { splitByRow } from '../log/split.js'
import { takeRows } from '../log/log.js'
import { uniformPolicy } from '../policy/probabilities.js'
import { tastesWorld } from '../world/tastes.js'
import { train } from './train.js'

const world = tastesWorld({ seed: 3, users: 300, items: 40, exposures: 30 })
const split = splitByRow(world.draw())
const unbiased = world.draw({ policy: uniformPolicy(40) })
const settings = {
  model: 'mf',
  dim: 8,
  batch: 256,
  epochs: 12,
  learningRate: 0.02,
  stopOn: 'unbiased',
} as const

describe('an unbiased log that chooses the epoch', () => {
  it('says what it is made of, and is not too small where it is large', async () => {
    const { training } = await train(split, settings, { unbiased })
    const notes = training.notes.join(' ')
    expect(notes).toMatch(
      /The unbiased log was used to choose the epoch: 9,000 rows, \d+ users .* [\d,]+ clicks\./,
    )
    expect(notes).not.toContain('too small')
  })

  it('warns where twelve users choose: most epochs are within two standard errors of the chosen one', async () => {
    const few = takeRows(
      unbiased,
      Uint32Array.from({ length: unbiased.rows }, (_, row) => row).filter((row) => unbiased.user[row]! < 12),
    )
    const { training } = await train(split, { ...settings, learningRate: 0.002 }, { unbiased: few })
    const notes = training.notes.join(' ')
    expect(notes).toContain('The unbiased log was used to choose the epoch: 360 rows, 1')
    expect(notes).toMatch(/too small for that: .* of 11 other epochs are closer than that/)
  })

  it('is not spoken of where another measure chooses', async () => {
    const { training } = await train(split, { ...settings, epochs: 2, stopOn: 'ndcg' }, { unbiased })
    expect(training.notes.join(' ')).not.toContain('unbiased log')
  })
})
