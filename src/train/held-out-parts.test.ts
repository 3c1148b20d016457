import { describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { randomStream } from '../random/stream.js'
import type { Checkpoint } from './checkpoint.js'
import { exampleSplit, SMALL } from './example-split.js'
import { train } from './train.js'
import type { EpochRecord } from './training.js'

const split = exampleSplit()
const settings = { ...SMALL, epochs: 12, patience: 4, loss: 'ips-bpr' } as const

/** The log with its rewards in another order. */
function shuffled(log: Log): Log {
  const random = randomStream(1, 'shuffled rewards')
  const reward = log.reward.slice()
  for (let k = reward.length - 1; k > 0; k--) {
    const other = Math.floor(random.uniform() * (k + 1))
    ;[reward[k], reward[other]] = [reward[other]!, reward[k]!]
  }
  return { ...log, reward }
}
const untimed = (records: readonly EpochRecord[]) =>
  records.map((record) => ({ ...record, seconds: 0, trainSeconds: 0 }))

describe('the test part', () => {
  it('changes no epoch, no choice and no bit of the model; only what is reported about the test', async () => {
    const [as, otherwise] = [
      await train(split, settings),
      await train({ ...split, test: shuffled(split.test) }, settings),
    ]
    expect(untimed(otherwise.training.epochs)).toEqual(untimed(as.training.epochs))
    expect(otherwise.training.best).toEqual(as.training.best)
    expect(otherwise.model.initial).toEqual(as.model.initial)
    expect(otherwise.training.ranked[0]!.validation).toEqual(as.training.ranked[0]!.validation)
    expect(otherwise.training.ranked[0]!.test).not.toEqual(as.training.ranked[0]!.test)
  })
})

describe('the validation part', () => {
  it('decides which epoch is kept and when to stop, and nothing that is computed', async () => {
    const runs = []
    for (const validation of [split.validation, shuffled(split.validation)]) {
      const kept: Checkpoint[] = []
      const { training } = await train(
        { ...split, validation },
        { ...settings, patience: 100 },
        {
          keep: async (checkpoint) => {
            kept.push(checkpoint)
          },
        },
      )
      runs.push({ states: kept.map(({ state }) => state), training })
    }
    const [as, otherwise] = runs
    expect(otherwise!.states).toEqual(as!.states)
    const losses = ({ epochs }: { epochs: readonly EpochRecord[] }) => epochs.map(({ loss }) => loss)
    expect(losses(otherwise!.training)).toEqual(losses(as!.training))
    expect(otherwise!.training.epochs.map(({ ndcg }) => ndcg)).not.toEqual(
      as!.training.epochs.map(({ ndcg }) => ndcg),
    )
    expect(otherwise!.training.best).not.toEqual(as!.training.best)
  })
})
