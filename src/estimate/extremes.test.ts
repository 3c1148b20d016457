import { describe, expect, it } from 'vitest'
import { HindcastError } from '../error.js'
import { type Log, takeRows } from '../log/log.js'
import { toyWorld } from '../world/toy.js'
import { ESTIMATORS } from './estimators/index.js'
import { evaluate } from './evaluate.js'
import { itemMean, itemPositionMean } from './reward/reward-model.js'
import type { Target } from './target.js'

/** Numbers that the rules of a log allow and no logger means. */
const drawn = toyWorld({ seed: 3, users: 40, items: 8, exposures: 5, skew: 2 }).draw()
const numbers = (of: (row: number) => number): Float64Array =>
  Float64Array.from({ length: drawn.rows }, (_, row) => of(row))
const sound: Log = {
  ...drawn,
  target: drawn.propensity!.map((b) => Math.min(1, 1.1 * b)),
  position: numbers((row) => row % 4),
  weight: numbers(() => 1),
}
type Column = 'reward' | 'propensity' | 'target' | 'weight' | 'position'
const at = (column: Column, value: number): Log => ({ ...sound, [column]: sound[column]!.with(3, value) })
const everywhere = (column: Column, value: number): Log => ({ ...sound, [column]: numbers(() => value) })

const TARGETS: readonly Target[] = [
  { kind: 'uniform' },
  { kind: 'logging' },
  { kind: 'column', name: 'target_prob' },
]
const OF_ROWS = ESTIMATORS.all.filter(({ rows }) => rows !== 'slates').map(({ name }) => name)

const evaluated = (log: Log, target: Target, rewardModel = itemMean): ReturnType<typeof evaluate> =>
  evaluate(log, {
    target,
    rewardModel,
    estimators: OF_ROWS,
    categories: log.itemIds.map((_, item) => `c${item % 2}`),
  })

/** The numbers that are not finite; λ may be infinite. */
const notFinite = (found: unknown, path = ''): string[] =>
  typeof found === 'number'
    ? Number.isFinite(found)
      ? []
      : [`${path} is ${found}`]
    : Object.entries(found ?? {}).flatMap(([name, value]) =>
        name === 'lambda' || typeof value === 'string' ? [] : notFinite(value, `${path}.${name}`),
      )

describe('rows that are extreme but can be used', () => {
  it.each([
    ['a position of two billion', at('position', 2e9)],
    ['the largest position', at('position', Number.MAX_SAFE_INTEGER)],
    ['a target probability of 5e-324', at('target', 5e-324)],
    ['rewards of 1e-50', everywhere('reward', 1e-50)],
    ['a reward of 1e50', at('reward', 1e50)],
    ['a propensity of 1e-49', at('propensity', 1e-49)],
    ['a row that stands for 1e50', at('weight', 1e50)],
    ['one row', takeRows(sound, Uint32Array.of(0))],
    ['one item', { ...sound, item: new Uint32Array(sound.rows), itemIds: ['a'] }],
    ['one user', { ...sound, user: new Uint32Array(sound.rows), userIds: ['u'] }],
  ])('%s', async (_name, log) => {
    for (const target of TARGETS)
      for (const model of [itemMean, itemPositionMean]) {
        const { evaluation } = await evaluated(log, target, model)
        expect(notFinite(evaluation), `${target.kind}, ${model.name}`).toEqual([])
        for (const { value, reason } of evaluation.estimates) if (value === null) expect(reason).toMatch(/\w/)
      }
  })
})

describe('rows that no estimate can use', () => {
  it.each([
    ['a propensity of 5e-324', at('propensity', 5e-324), /1 with a propensity below 1e-50.*\(row 4\)/],
    ['a reward of 1e300', at('reward', 1e300), /1 with a reward beyond 1e\+50 \(row 4\)/],
    ['a row that stands for 1e-300', at('weight', 1e-300), /1 with a weight below 1e-50 \(row 4\)/],
    ['a row that stands for 1e300', at('weight', 1e300), /1 with a weight beyond 1e\+50 \(row 4\)/],
  ])('%s: the error names the row, and what to do', async (_name, log, message) => {
    for (const target of TARGETS) {
      const refused = await evaluated(log, target).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(HindcastError)
      expect((refused as HindcastError).message).toMatch(message)
      expect((refused as HindcastError).remedy).toMatch(/Correct these rows or leave them out/)
    }
  })
})

it('rewards whose squares vanish are named, whatever the target', async () => {
  for (const target of TARGETS)
    await expect(evaluated(everywhere('reward', 1e-200), target)).rejects.toThrow(
      'The log: all rewards are within 1e-200 of 0, too close for their squares.',
    )
  // Among others they are as good as 0.
  expect((await evaluated(at('reward', 1e-200), TARGETS[0]!)).evaluation.estimates[0]!.value).toBeGreaterThan(
    0,
  )
})

describe('the model by item and position', () => {
  it('has the means of its items at their positions, wherever those lie', () => {
    const rows = Uint32Array.from({ length: sound.rows }, (_, row) => row)
    const far = { ...sound, position: sound.position!.map((place) => 2e9 * place) }
    const [near, moved] = [itemPositionMean.fit(sound, rows), itemPositionMean.fit(far, rows)]
    for (let row = 0; row < 8; row++)
      for (let item = 0; item < 8; item++) expect(moved.predict(row, item)).toBe(near.predict(row, item))
    const [first, second] = [0, 1].map((row) => near.predict(row, sound.item[0]!))
    expect(first).not.toBe(second)
  })
})
