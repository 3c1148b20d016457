import { describe, expect, it } from 'vitest'
import { exampleSplit, SMALL } from './example-split.js'
import { train } from './train.js'

const split = exampleSplit()

describe('a training that diverges', () => {
  it.each([
    ['bpr', 64],
    ['bce', 64],
    ['softmax', 64],
    ['bpr', 4096],
    ['bce', 4096],
    ['softmax', 4096],
    ['clipped-ips', 64],
    ['log-smoothing', 4096],
    ['dr', 64],
  ] as const)('is ended with the step and what to lower: %s in batches of %d', async (loss, batch) => {
    await expect(train(split, { ...SMALL, loss, batch, learningRate: 1e30 })).rejects.toMatchObject({
      code: 'diverged',
      message: expect.stringMatching(/^Training diverged at step \d+ of epoch 1: /),
      remedy: 'Try learningRate: 1e+29 instead of 1e+30.',
    })
  })

  it('is advised to temper its weights where it has some', async () => {
    await expect(train(split, { ...SMALL, loss: 'ips-bpr', learningRate: 1e30 })).rejects.toMatchObject({
      remedy: expect.stringContaining("or temper the weights with regulariser: 'shrink:0.1'"),
    })
  })

  it('does so also where there is no validation part to rank', async () => {
    const blind = exampleSplit({ validation: 0 })
    await expect(
      train(blind, { ...SMALL, batch: 4096, epochs: 1, learningRate: 1e30 }),
    ).rejects.toMatchObject({
      code: 'diverged',
    })
  })
})
