import { describe, expect, it } from 'vitest'
import type { Log } from '../../log/log.js'
import { randomStream } from '../../random/stream.js'
import { evaluateSource } from '../../estimate/evaluate-source.js'
import { evaluatorOf } from '../../estimate/evaluate.js'
import type { Evaluation } from '../../estimate/evaluation.js'
import type { Target } from '../../estimate/target.js'
import { exampleLog } from '../../estimate/source/conformance.js'
import { ranStatement } from './example-statement.js'

/** Clicks of users over days, with weights of a chosen heaviness. */
function clicks(
  seed: number,
  { rows = 3000, users = 200, days = 0, tail = 1, ids = (k: number) => `u${k}` } = {},
): Log {
  const { uniform } = randomStream(seed, 'recorded')
  const below = (most: number): number => Math.floor(uniform() * most)
  const user = Uint32Array.from({ length: rows }, () => below(users))
  const used = [...new Set(user)]
  const place = new Map(used.map((id, k) => [id, k]))
  const propensity = Float64Array.from({ length: rows }, () => 0.02 + 0.98 * uniform() ** (1 + tail))
  return {
    rows,
    user: user.map((id) => place.get(id)!),
    userIds: used.map(ids),
    item: Uint32Array.from({ length: rows }, (_, k) => (k < 20 ? k : below(20))),
    itemIds: Array.from({ length: 20 }, (_, k) => `i${k}`),
    catalogueKnown: false,
    reward: Float64Array.from({ length: rows }, () => (uniform() < 0.3 ? 1 : 0)),
    propensity,
    propensitySource: 'logged',
    target: propensity.map((b) => Math.min(1, b * 2 * uniform())),
    ...(days > 0 && {
      time: Float64Array.from({ length: rows }, () => 1.7e12 + Math.floor(uniform() * days * 86_400e3)),
    }),
  }
}

const column: Target & { kind: 'column' } = { kind: 'column', name: 'target' }

/** An evaluation without what says who computed it. */
const told = ({ sums: _sums, ...rest }: Evaluation): unknown => rest

/** Numbers alike to 1e-9, all else the same. */
function expectAlike(found: unknown, expected: unknown, path = ''): void {
  if (typeof found === 'number' && typeof expected === 'number') {
    const tolerance = 1e-9 * Math.max(1e-3, Math.abs(expected))
    if (!(Math.abs(found - expected) <= tolerance)) expect(found, path).toBe(expected)
    return
  }
  if (typeof found === 'object' && found !== null && typeof expected === 'object' && expected !== null) {
    expect(Object.keys(found), path).toEqual(Object.keys(expected))
    for (const [name, value] of Object.entries(expected))
      expectAlike((found as Record<string, unknown>)[name], value, `${path}.${name}`)
    return
  }
  expect(found, path).toEqual(expected)
}

const LOGS: readonly (readonly [string, Log])[] = [
  ['a clean one', clicks(1)],
  ['one with a heavy tail', clicks(2, { tail: 6 })],
  [
    'one with tied weights',
    { ...clicks(3), propensity: clicks(3).propensity!.map((b) => (b < 0.3 ? 0.1 : 0.5)) },
  ],
  ['one over ten days', clicks(4, { days: 10 })],
  ['one over three days', clicks(5, { days: 3 })],
  ['one of a single user', clicks(6, { users: 1, rows: 200 })],
  ['one with ids in all scripts', clicks(7, { ids: (k) => `Ünïcode 用户 '${k}", \\ ; -- 😀` })],
  ['one with 64-bit ids', clicks(8, { ids: (k) => String(9007199254740993n + BigInt(k)) })],
  ['one with numbers of impressions, amounts and predictions', exampleLog(2000, 'texts')],
  [
    'one of which few weights are above zero',
    { ...clicks(9), target: clicks(9).target!.map((p, k) => (k % 500 === 0 ? p : 0)) },
  ],
]

describe('sums that one statement computed give the evaluation of the log in memory', () => {
  for (const [name, log] of LOGS)
    for (const target of [column, { kind: 'uniform' }, { kind: 'logging' }] as const)
      it(`${name}, ${target.kind}`, async () => {
        const { source } = await ranStatement(log, {
          target: target.kind === 'column' ? { kind: 'column', name: 'target' } : target,
        })
        const estimators = ['ips', 'snips', ...(log.q ? ['dm', 'dr'] : [])]
        const options = { estimators, checks: false }
        const { evaluation } = await evaluateSource(source, options)
        const { evaluation: expected } = await evaluatorOf(log, options).evaluate(target)
        expectAlike(told(evaluation), told(expected))
      })
})
