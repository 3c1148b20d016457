import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeSafetensors } from '../model/safetensors.js'
import { type Checkpoint, decodeCheckpoint, encodeCheckpoint, fingerprintOf } from './checkpoint.js'
import { exampleSplit, SMALL } from './example-split.js'
import { DEFAULT_SETTINGS, type TrainSettings } from './settings.js'
import { train } from './train.js'

const split = exampleSplit()
const checkpoint: Checkpoint = {
  epoch: 2,
  state: {
    embeddings: Float32Array.of(1, -2.5, 1e-30, 4),
    mean: Float32Array.of(0, 0.1, 0.2, 0.3),
    square: Float32Array.of(1, 2, 3, 4),
    steps: 1234,
  },
  best: { epoch: 1, value: 0.25, embeddings: Float32Array.of(9, 8, 7, 6) },
  records: [],
  settings: DEFAULT_SETTINGS,
  fingerprint: 'some log',
}
const encoded = encodeCheckpoint(checkpoint)

describe('a checkpoint', () => {
  it('comes back from its bytes as it was', () => {
    expect(decodeCheckpoint(encoded, 'it')).toEqual(checkpoint)
    const unknown = { ...checkpoint, best: { ...checkpoint.best, value: null } }
    expect(decodeCheckpoint(encodeCheckpoint(unknown), 'it')).toEqual(unknown)
  })

  it('of the reference keeps its float64', () => {
    const { state } = checkpoint
    const fine = { ...state, embeddings: Float64Array.of(0.1, 0.2, 0.3, 1 / 3) }
    expect(decodeCheckpoint(encodeCheckpoint({ ...checkpoint, state: fine }), 'it').state).toEqual(fine)
  })

  it('that was cut short anywhere is refused', () => {
    fc.assert(
      fc.property(fc.nat({ max: encoded.length - 1 }), (length) => {
        expect(() => decodeCheckpoint(encoded.subarray(0, length), 'half.safetensors')).toThrow(
          /^half\.safetensors is no/,
        )
      }),
    )
  })

  it.each<[string, Uint8Array]>([
    [
      'no checkpoint but a model',
      encodeSafetensors({ user_embeddings: { shape: [1], data: Float32Array.of(1) } }),
    ],
    ['tables without words', encodeSafetensors(tables({}))],
    ['words that are no JSON', encodeSafetensors(tables({}), { checkpoint: '{"epoch":' })],
    ['words that miss some', encodeSafetensors(tables({}), { checkpoint: '{"epoch":1,"steps":2}' })],
    [
      'tables of different sizes',
      encodeSafetensors(tables({ mean: Float32Array.of(1) }), { checkpoint: '{}' }),
    ],
    [
      'a table of whole numbers',
      encodeSafetensors(tables({ best: Uint32Array.of(1, 2) }), { checkpoint: '{}' }),
    ],
  ])('is refused where it holds %s', (_, bytes) => {
    const refused = (() => {
      try {
        return decodeCheckpoint(bytes, 'the file')
      } catch (error) {
        return error
      }
    })()
    expect(refused).toMatchObject({
      code: 'bad-file',
      message: expect.stringContaining('the file is not a checkpoint'),
    })
  })
})

function tables(others: Record<string, Float32Array | Uint32Array>) {
  const two = Float32Array.of(1, 2)
  return Object.fromEntries(
    Object.entries({ embeddings: two, mean: two, square: two, best: two, ...others }).map(([name, data]) => [
      name,
      { shape: [data.length], data },
    ]),
  )
}

describe('going on from a checkpoint', () => {
  const kept = (async () => {
    let last: Checkpoint | undefined
    await train(split, { ...SMALL, epochs: 1 }, { keep: async (one) => void (last = one) })
    return last!
  })()

  it.each<[string, Partial<TrainSettings>, string]>([
    ['another seed', { seed: 8 }, 'seed was 7, now 8'],
    ['another loss', { loss: 'bce' }, 'loss was "bpr", now "bce"'],
    ['another regulariser', { regulariser: { kind: 'clip', strength: 2 } }, 'regulariser was'],
    ['another width and rate', { dim: 4, learningRate: 1 }, 'dim was 8, now 4; learningRate was 0.02, now 1'],
  ])('is refused with %s, and both are named', async (_, chosen, message) => {
    await expect(train(split, { ...SMALL, ...chosen }, { resume: await kept })).rejects.toMatchObject({
      code: 'bad-option',
      message: expect.stringContaining(message),
    })
  })

  it('is refused with another log', async () => {
    await expect(train(exampleSplit({ seed: 4 }), SMALL, { resume: await kept })).rejects.toThrow(
      'The checkpoint comes from another log',
    )
  })
})

describe('fingerprintOf', () => {
  const { train: part, validation } = split
  const changed = <Column extends Float64Array | Uint32Array>(column: Column, row: number, value: number) =>
    column.with(row, value) as Column

  it.each<[string, Partial<typeof part>]>([
    ['a user', { user: changed(part.user, 5, 1) }],
    ['an item', { item: changed(part.item, 5, (part.item[5]! + 1) % 40) }],
    ['a reward', { reward: changed(part.reward, 5, 1 - part.reward[5]!) }],
    [
      'a propensity by its last bit',
      { propensity: changed(part.propensity!, 5, part.propensity![5]! * (1 + 2 ** -52)) },
    ],
    ['a target', { target: new Float64Array(part.rows) }],
    ['the impressions a row stands for', { weight: new Float64Array(part.rows).fill(2) }],
    ['the catalogue', { itemIds: [...part.itemIds, 'new'] }],
  ])('changes with %s', (_, change) => {
    expect(fingerprintOf({ train: { ...part, ...change }, validation })).not.toBe(fingerprintOf(split))
    expect(fingerprintOf({ train: part, validation: { ...validation, ...change } })).not.toBe(
      fingerprintOf(split),
    )
  })

  it('spreads over all its bits when two rewards change places', () => {
    const clicks = Array.from(part.reward.keys()).filter((row) => part.reward[row] === 1)
    const others = Array.from(part.reward.keys()).filter((row) => part.reward[row] === 0)
    const seen = new Set<string>()
    for (let k = 0; k < 300; k++)
      seen.add(
        fingerprintOf({
          train: { ...part, reward: part.reward.with(clicks[k]!, 0).with(others[3 * k]!, 1) },
          validation,
        }),
      )
    expect(seen.size).toBe(300)
  })
})
