import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Log } from '../log/log.js'
import { stampOf } from '../log/stamp.js'
import { exp } from '../portable-math.js'
import { exampleToSave } from './example-model.js'
import { writeModelFolder } from './model-folder.js'
import { readModelPolicy } from './model-policy.js'

let folder: string
const saved = exampleToSave(6, 5)
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindcast-policy-'))
  await writeModelFolder(folder, saved)
})
afterAll(() => rm(folder, { recursive: true }))

/** A log whose rows show `items[k]` to `users[k]`, by their places among the ids. */
const logOf = (
  ids: { users: string[]; items: string[] },
  rows: { user: number; item: number; reward: number }[],
): Log => ({
  rows: rows.length,
  user: Uint32Array.from(rows, ({ user }) => user),
  item: Uint32Array.from(rows, ({ item }) => item),
  userIds: ids.users,
  itemIds: ids.items,
  catalogueKnown: false,
  reward: Float64Array.from(rows, ({ reward }) => reward),
  propensitySource: 'none',
})
const policyFor = (log: Log, temperature = 1, file = 'other.csv') =>
  readModelPolicy(folder, { kind: 'softmax', temperature }, { log, file })

describe('readModelPolicy', () => {
  it('is the softmax over the items of the log, in its order and for its users', async () => {
    const log = logOf({ users: ['4', '2'], items: ['5', '1', '3'] }, [
      { user: 0, item: 0, reward: 0 },
      { user: 1, item: 2, reward: 0 },
    ])
    const { policy, notes } = await policyFor(log, 0.5)
    expect([policy.name, policy.items]).toEqual([`model:${folder}@softmax=0.5`, 3])
    for (const [place, user] of [3, 1].entries()) {
      const scores = saved.model.scores(user)
      const weights = [4, 0, 2].map((item) => exp(scores[item]! / 0.5))
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      policy.probabilities(place).forEach((p, item) => expect(p).toBeCloseTo(weights[item]! / total, 12))
    }
    expect(policy.ruled!.by({ kind: 'best' }).name).toBe(`model:${folder}@best`)
    const warmer = policy.ruled!.by({ kind: 'softmax', temperature: 2 })
    expect(warmer.name).toBe(`model:${folder}@softmax=2`)
    expect(warmer.probabilities(1)).toEqual((await policyFor(log, 2)).policy.probabilities(1))
    expect(notes).toEqual([
      `${folder} also knows 2 items that the log does not have. The policy chooses only among the 3 items of the log.`,
    ])
  })

  it('counts users and items of the log that the model does not know', async () => {
    const rows = [0, 1, 2].map((user) => ({ user, item: 0, reward: 0 }))
    await expect(policyFor(logOf({ users: ['1', 'x', 'y'], items: ['1'] }, rows))).rejects.toThrow(
      `The model ${folder} does not know 2 of the log’s 3 users: "x", "y".`,
    )
    await expect(
      policyFor(logOf({ users: ['1', '2', '3'], items: ['1', 'a', 'b', 'c', 'd'] }, rows)),
    ).rejects.toThrow('does not know 4 of the log’s 5 items: "a", "b", "c", ….')
    // Its scores in a file leave it to the user what others are shown.
    await expect(policyFor(logOf({ users: ['x'], items: ['1'] }, [rows[0]!]))).rejects.toMatchObject({
      changes: [{ setting: 'missingUser', value: 'logging' }],
    })
  })

  it('ignores users without rows', async () => {
    const log = logOf({ users: ['1', 'x'], items: ['1', '2', '3', '4', '5'] }, [
      { user: 0, item: 0, reward: 0 },
    ])
    expect((await policyFor(log)).notes).toEqual([])
  })

  it('knows by the stamp of the model whether it was trained on this log, by every rule', async () => {
    const ids = { users: ['1', '2'], items: ['4', '5', '1', '2', '3'] }
    const log = logOf(ids, [
      { user: 0, item: 2, reward: 1 },
      { user: 1, item: 0, reward: 0 },
    ])
    const own = await mkdtemp(join(tmpdir(), 'hindcast-stamped-'))
    await writeModelFolder(own, { ...saved, made: stampOf(log) })
    const { policy } = await readModelPolicy(
      own,
      { kind: 'softmax', temperature: 1 },
      { log, file: 'any.csv' },
    )
    expect(policy.origin).toEqual({ made: 'this-log', share: 1 })
    expect(policy.ruled!.by({ kind: 'best' }).origin).toEqual({ made: 'this-log', share: 1 })
    expect((await policyFor(log)).policy.origin).toEqual({ made: 'elsewhere', share: 0 })
    await rm(own, { recursive: true })
  })

  it('needs a rule where the model was trained to rank', async () => {
    const log = logOf({ users: ['1'], items: ['1', '2', '3'] }, [{ user: 0, item: 0, reward: 0 }])
    await expect(readModelPolicy(folder, undefined, { log, file: 'other.csv' })).rejects.toMatchObject({
      message: `model:${folder}: scores are no policy until a rule says how items are shown by them.`,
      remedy: expect.stringContaining(`model:${folder}@best (always the best item`) as string,
    })
    const { policy } = await readModelPolicy(folder, { kind: 'rank' }, { log, file: 'other.csv' })
    expect(policy.name).toBe(`model:${folder}@rank`)
    const shares = policy.probabilities(0).slice().sort()
    for (const [place, share] of [2 / 11, 3 / 11, 6 / 11].entries())
      expect(shares[place]).toBeCloseTo(share, 14)
  })

  it('is the policy that was trained where the model was trained as one', async () => {
    const learnt = await mkdtemp(join(tmpdir(), 'hindcast-learnt-'))
    await writeModelFolder(learnt, {
      ...saved,
      settings: { ...saved.settings, loss: 'poem', temperature: 0.5 },
    })
    const log = logOf({ users: ['1'], items: ['1', '2', '3'] }, [{ user: 0, item: 0, reward: 0 }])
    const { policy, notes } = await readModelPolicy(learnt, undefined, { log, file: 'other.csv' })
    expect(policy.name).toBe(`model:${learnt}@softmax=0.5`)
    expect(policy.probabilities(0)).toEqual((await policyFor(log, 0.5)).policy.probabilities(0))
    expect(notes[0]).toContain('at the T it was trained with')
    await rm(learnt, { recursive: true })
  })
})
