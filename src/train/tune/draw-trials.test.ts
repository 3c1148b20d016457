import { describe, expect, it } from 'vitest'
import { LOSSES } from '../losses/index.js'
import { defaultTrial, drawTrials, hasGradients, solvedTrials, type Space } from './draw-trials.js'

const space: Space = {
  ground: { by: 'unbiased', hasPropensities: true, items: 500 },
  fixed: {},
  tried: {},
  seed: 3,
}

describe('drawn trials', () => {
  it('differ, and more of them begin with the same ones', () => {
    const trials = drawTrials(space, 40)
    expect(new Set(trials.map((one) => JSON.stringify(one))).size).toBe(40)
    expect(drawTrials(space, 10)).toEqual(trials.slice(0, 10))
    expect(drawTrials({ ...space, seed: 4 }, 10)).not.toEqual(trials.slice(0, 10))
  })

  it('try every usual loss, rate and size, and stop on what they are chosen by', () => {
    const trials = drawTrials(space, 200)
    const values = (name: 'loss' | 'learningRate' | 'dim' | 'layers' | 'model'): unknown[] =>
      [...new Set(trials.map((one) => one[name]))].toSorted()
    expect(values('loss')).toEqual(['bpr', 'ips-bpr', 'ips-softmax', 'softmax'])
    expect(values('learningRate')).toHaveLength(6)
    expect(values('dim')).toHaveLength(3)
    expect(values('model')).toEqual(['lightgcn', 'mf'])
    expect(trials.every(({ stopOn }) => stopOn === 'unbiased')).toBe(true)
    // Only weights can be regularised, only a graph has layers.
    for (const { loss, regulariser, model, layers } of trials) {
      if (LOSSES.named(loss).weights === 'none') expect(regulariser.kind).toBe('none')
      expect(layers > 0).toBe(model === 'lightgcn')
    }
  })

  it('have no weights where there are no propensities', () => {
    const without = { ...space, ground: { ...space.ground, by: 'ndcg', hasPropensities: false } } as const
    expect(new Set(drawTrials(without, 60).map(({ loss }) => loss))).toEqual(new Set(['bpr', 'softmax']))
  })

  it('learn policies where the lower bound of the value chooses, with numbers that each objective allows', () => {
    const policies = drawTrials({ ...space, ground: { ...space.ground, by: 'lower-bound' } }, 150)
    const objectives = LOSSES.all.filter(({ objective }) => objective).map(({ name }) => name)
    expect(new Set(policies.map(({ loss }) => loss))).toEqual(new Set(objectives))
    expect(new Set(policies.filter(({ loss }) => loss === 'poem').map(({ parameter }) => parameter))).toEqual(
      new Set([0.1, 0.3, 1, 3, 10]),
    )
    expect(policies.every(({ model, stopOn }) => model === 'mf' && stopOn === 'lower-bound')).toBe(true)
  })

  it('keep to what was fixed and what was asked for, and end where the space does', () => {
    const asked: Space = {
      ...space,
      fixed: { model: 'mf', loss: 'softmax', dim: 64, l2: 1e-4, drawn: 16, biases: false },
      tried: { learningRate: [{ learningRate: 0.1 }, { learningRate: 0.2 }] },
    }
    expect(
      drawTrials(asked, 50)
        .map(({ learningRate }) => learningRate)
        .toSorted(),
    ).toEqual([0.1, 0.2])
  })

  it('take an objective together with its number', () => {
    const asked: Space = {
      ...space,
      ground: { ...space.ground, by: 'lower-bound' },
      tried: { loss: [{ loss: 'poem', parameter: 7 }] },
    }
    expect(drawTrials(asked, 20).every(({ parameter }) => parameter === 7)).toBe(true)
  })
})

describe('the trial of the defaults', () => {
  it('is what train does without tuning, but for what it stops on', () => {
    expect(defaultTrial(space)).toMatchObject({ model: 'lightgcn', loss: 'ips-softmax', stopOn: 'unbiased' })
    const ground = { ...space.ground, hasPropensities: false, by: 'ndcg' as const }
    expect(defaultTrial({ ...space, ground })).toMatchObject({ model: 'lightgcn', loss: 'softmax' })
  })

  it('has what all share, and the first of what was asked for', () => {
    const asked: Space = {
      ...space,
      fixed: { dim: 16 },
      tried: { loss: [{ loss: 'softmax' }, { loss: 'bpr' }] },
    }
    expect(defaultTrial(asked)).toMatchObject({ dim: 16, loss: 'softmax' })
  })
})

describe('models that are solved', () => {
  const models = (chosen: Partial<Space>): string[] =>
    solvedTrials({ ...space, ...chosen }, ['ease', 'ials']).map(({ model }) => model)

  it('are tried once each, unless a loss or another model was asked for', () => {
    expect(models({})).toEqual(['ease', 'ials'])
    expect(models({ fixed: { loss: 'softmax' } })).toEqual([])
    expect(models({ tried: { model: [{ model: 'mf' }, { model: 'item-knn' }] } })).toEqual(['item-knn'])
    expect(models({ ground: { ...space.ground, by: 'lower-bound' } })).toEqual([])
  })

  it('may be all there is', () => {
    expect(hasGradients({ ...space, fixed: { model: 'ease' } })).toBe(false)
    expect(hasGradients(space)).toBe(true)
  })
})
