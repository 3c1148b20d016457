import { describe, expect, it } from 'vitest'
import type { Split } from '../log/split.js'
import { exampleSplit, SMALL, withColumns } from './example-split.js'
import type { LossName, TrainSettings } from './settings.js'
import { train } from './train.js'

// What must make no difference makes none: embeddings are compared bit by bit after whole trainings.

const split = exampleSplit()
const alike = withColumns(split, ({ rows, itemIds }) => ({
  propensity: new Float64Array(rows).fill(1 / itemIds.length),
}))
const clicksOnly = ({ train: log, ...others }: Split): Split => {
  const clicked = Array.from(log.reward.keys()).filter((row) => log.reward[row]! > 0)
  const pick = (column: Float64Array) => Float64Array.from(clicked, (row) => column[row]!)
  return {
    ...others,
    train: {
      ...log,
      rows: clicked.length,
      user: Uint32Array.from(clicked, (row) => log.user[row]!),
      item: Uint32Array.from(clicked, (row) => log.item[row]!),
      reward: pick(log.reward),
      propensity: pick(log.propensity!),
    },
  }
}

/** The embeddings of a training, and the loss of its epochs. */
async function trained(of: Split, chosen: Partial<TrainSettings>) {
  const { model, training } = await train(of, { ...SMALL, epochs: 3, ...chosen })
  return {
    initial: model.initial,
    final: model.final,
    losses: training.epochs.map(({ loss }) => loss),
    ndcg: training.epochs.map(({ ndcg }) => ndcg),
  }
}

describe('weights', () => {
  it('do change the model where propensities differ', async () => {
    const [plain, weighted] = [
      await trained(split, { loss: 'bpr' }),
      await trained(split, { loss: 'ips-bpr' }),
    ]
    expect(weighted.initial).not.toEqual(plain.initial)
  })

  it.each<[LossName, LossName]>([
    ['ips-bpr', 'bpr'],
    ['sn-bpr', 'bpr'],
    ['ips-bce', 'bce'],
    ['sn-bce', 'bce'],
    ['ips-softmax', 'softmax'],
  ])('of %s are those of %s where all propensities are the same', async (weighted, plain) => {
    expect(await trained(alike, { loss: weighted })).toEqual(await trained(alike, { loss: plain }))
  })

  it.each<[LossName, LossName]>([
    ['ips-bce', 'bce'],
    ['sn-bce', 'bce'],
  ])('of %s are those of %s without impressions that earned nothing, too', async (weighted, plain) => {
    const clicks = clicksOnly(alike)
    expect(await trained(clicks, { loss: weighted })).toEqual(await trained(clicks, { loss: plain }))
  })

  it('do not depend on the scale of the target', async () => {
    const [uniform, inverse] = [
      await trained(split, { loss: 'ips-bpr', weightTarget: { kind: 'uniform' } }),
      await trained(split, { loss: 'ips-bpr', weightTarget: { kind: 'inverse' } }),
    ]
    expect(inverse).toEqual(uniform)
  })
})

describe('a regulariser', () => {
  it.each([0.1, 1000])('that is literal, of strength %d, trains the model of ips-bpr', async (strength) => {
    const literal = await trained(split, { loss: 'ips-bpr', regulariser: { kind: 'literal', strength } })
    const without = await trained(split, { loss: 'ips-bpr' })
    expect({ ...literal, losses: [] }).toEqual({ ...without, losses: [] })
    // Its penalty is told with the loss all the same.
    literal.losses.forEach((loss, epoch) => expect(loss).toBeGreaterThan(without.losses[epoch]!))
  })

  it('that is literal trains the model of bpr where all weights are the same', async () => {
    const literal = await trained(alike, { loss: 'ips-bpr', regulariser: { kind: 'literal', strength: 5 } })
    expect(literal.initial).toEqual((await trained(alike, { loss: 'bpr' })).initial)
  })

  it('that shrinks by 0 trains the model of ips-bpr', async () => {
    const shrunk = await trained(split, { loss: 'ips-bpr', regulariser: { kind: 'shrink', strength: 0 } })
    expect(shrunk).toEqual(await trained(split, { loss: 'ips-bpr' }))
  })

  it.each([
    { kind: 'shrink', strength: 1e12 },
    { kind: 'power', strength: 0 },
  ] as const)('$kind of strength $strength trains the model of bpr', async (regulariser) => {
    expect(await trained(split, { loss: 'ips-bpr', regulariser })).toEqual(
      await trained(split, { loss: 'bpr' }),
    )
  })

  it('of the variance changes the model, weights or not', async () => {
    const regulariser = { kind: 'variance', strength: 1 } as const
    for (const loss of ['bpr', 'ips-bpr'] as const)
      expect((await trained(split, { loss, regulariser })).initial).not.toEqual(
        (await trained(split, { loss })).initial,
      )
  })
})
