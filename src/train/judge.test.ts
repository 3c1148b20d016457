import { describe, expect, it } from 'vitest'
import type { Model } from '../model/model.js'
import { popularityModel } from '../model/popularity.js'
import { clickGraph } from './events.js'
import { exampleSplit, logOf, type Row } from './example-split.js'
import { judgeOf } from './judge.js'
import { DEFAULT_SETTINGS, type TrainSettings } from './settings.js'

const parts = (train: readonly Row[], validation: readonly Row[], test: readonly Row[]) => ({
  train: logOf(train, { users: 2, items: 5 }),
  validation: logOf(validation, { users: 2, items: 5 }),
  test: logOf(test, { users: 2, items: 5 }),
})
const settings = (chosen: Partial<TrainSettings> = {}): TrainSettings => ({ ...DEFAULT_SETTINGS, ...chosen })

/** Ranks item 0 first, then 1, 2, … for everybody. */
const inOrder: Model = {
  kind: 'popularity',
  users: 2,
  items: 5,
  scores: () => Float32Array.of(5, 4, 3, 2, 1),
  foldIn: () => Float32Array.of(5, 4, 3, 2, 1),
}

describe('a judge', () => {
  const split = parts(
    [[0, 0, 1]],
    [
      [0, 0, 1],
      [0, 2, 1],
      [1, 4, 0],
    ],
    [
      [0, 2, 1],
      [0, 3, 1],
      [1, 0, 1],
    ],
  )
  const graph = clickGraph(split.train)

  it('counts held-out clicks that are new: to training, and for the test to validation too', () => {
    const judge = judgeOf(split, graph, settings())
    expect([judge.validationClicks, judge.testClicks]).toEqual([1, 2])
  })

  it('leaves what is known out of the rankings', () => {
    const { validation, test } = judgeOf(split, graph, settings({ k: 2 })).model(inOrder)
    // User 0 in validation: 1 and 2 are ranked first, 0 being known; item 2 is found at rank 2.
    expect(validation).toMatchObject({ users: 1, mrr: { value: 0.5 } })
    // In the test 0 and 2 are known: 1 and 3 are ranked, and user 1 finds item 0 at once.
    expect(test).toMatchObject({ users: 2, mrr: { value: (0.5 + 1) / 2 } })
  })

  it('judges candidates on a sample of very many users, and what is kept on all', async () => {
    const [users, items] = [6000, 21_000]
    const rowsOf = (item: (user: number) => number): Row[] =>
      Array.from({ length: users }, (_, user) => [user, item(user), 1])
    const size = { users, items }
    const many = {
      train: logOf(
        rowsOf((user) => user % 7),
        size,
      ),
      validation: logOf(
        rowsOf((user) => 7 + (user % 13)),
        size,
      ),
      test: logOf(
        rowsOf((user) => 20 + (user % 3)),
        size,
      ),
    }
    const clicks = clickGraph(many.train)
    const judge = judgeOf(many, clicks, settings({ stopOn: 'ndcg' }))
    const model = popularityModel(clicks)
    const { metrics, value } = await judge.candidate(model)
    const ranked = await judge.ranked(model)
    expect(judge.sample).toEqual({ users: 5000, of: 6000 })
    expect(metrics!.users).toBe(5000)
    expect(ranked.validation!.users).toBe(6000)
    expect(value).toBe(metrics!.ndcg.value)
    expect(judge.keptValue(value, ranked)).toBe(ranked.validation!.ndcg.value)
    expect(value).not.toBe(ranked.validation!.ndcg.value)
    expect(Math.abs(value! - ranked.validation!.ndcg.value)).toBeLessThan(0.01)
  })

  it('does not rank a model again that it has ranked', async () => {
    const judge = judgeOf(split, graph, settings({ k: 2 }))
    let asked = 0
    const counting: Model = { ...inOrder, scores: (user) => (asked++, inOrder.scores(user)) }
    const first = await judge.ranked(counting)
    const times = asked
    const { byUser, ...parts } = await judge.compared(counting)
    expect(asked).toBe(times)
    expect(parts).toEqual(first)
    expect(first).toEqual(judge.model(inOrder))
    expect(byUser!.ndcg).toHaveLength(2)
  })

  it('says null where a part has no new click', () => {
    const bare = parts([[0, 0, 1]], [[0, 0, 1]], [])
    expect(judgeOf(bare, graph, settings()).model(inOrder)).toEqual({ validation: null, test: null })
  })

  it.each<[string, Row[], Row[], RegExp]>([
    ['there are no propensities', [[0, 0, 1]], [[0, 1, 1]], /no propensities/],
    ['there are no validation rows', [[0, 0, 1, 0.5]], [], /no propensities|no validation rows/],
    ['all was shown in training', [[0, 0, 1, 0.5]], [[0, 0, 0, 0.5]], /was also shown in training/],
    ['propensities cannot be', [[0, 0, 1, 0.9]], [[0, 1, 0, 0.5]], /add up to more than 1/],
  ])('says why there is no SNIPS where %s', (_, train, validation, reason) => {
    const { withoutSnips } = judgeOf(parts(train, validation, []), graph, settings())
    expect(withoutSnips).toMatch(reason)
    expect(() => judgeOf(parts(train, validation, []), graph, settings({ stopOn: 'snips' }))).toThrow(
      /^Training cannot stop on snips/,
    )
  })

  it('refuses to stop on what is not known', () => {
    expect(() => judgeOf(split, graph, settings({ stopOn: 'unbiased' }))).toThrow(
      'neither an unbiased log nor propensities',
    )
    const known = logOf([[0, 0, 1]], { users: 2, items: 5 })
    expect(() => judgeOf(split, graph, settings({ stopOn: 'unbiased' }), { unbiased: known })).toThrow(
      'the unbiased log has no click that training has not seen',
    )
    // Such a log does no harm where training stops on something else.
    expect(judgeOf(split, graph, settings({ stopOn: 'ndcg' }), { unbiased: known }).validationClicks).toBe(1)
  })

  it('refuses an unbiased log of other users or items', () => {
    expect(() =>
      judgeOf(split, graph, settings(), { unbiased: logOf([[0, 0, 1]], { users: 3, items: 5 }) }),
    ).toThrow(/3 users and 5 items/)
  })

  it('knows SNIPS for a log with propensities, and not once they are gone', () => {
    const drawn = exampleSplit()
    const clicks = clickGraph(drawn.train)
    expect(judgeOf(drawn, clicks, settings()).withoutSnips).toBeUndefined()
    const { propensity: _, ...without } = drawn.validation
    expect(judgeOf({ ...drawn, validation: without }, clicks, settings()).withoutSnips).toBe(
      'the log has no propensities',
    )
  })
})
