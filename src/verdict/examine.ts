import { namedIn } from '../expression.js'
import {
  type Answers,
  type Batch,
  type FactorQuery,
  type RowNumber,
  type SumsQuery,
  userBucket,
  type Window,
} from '../queries/query.js'
import { times } from '../sql/expression.js'
import type { Check, Heard, Repaired, RowRepair, Suspicion } from './check.js'
import { CHECKS } from './checks/index.js'
import { type LogShape, row, windowsOf } from './frame.js'

/** What one check made of a log: what it suspects, or why it could not look. */
export type Outcome =
  | { readonly check: Check; readonly suspicions: readonly Suspicion[] }
  | { readonly check: Check; readonly without: string; readonly isLacking: boolean }

/** What all checks made of a log and a policy. */
export type Outcomes = readonly Outcome[]

/** The sums by user that all repairs of rows are made of. */
const USERS = 'users'
/** The queries of a check stand in the batch under its code. */
const nameOf = ({ code }: Check, name: string): string => `${code}.${name}`

const weighedBy = (weight: RowNumber): RowNumber => times(row.n, weight)

/** What every check that applies to such a log asks, as one batch. */
export function batchOf(log: Omit<LogShape, 'hasClock'>, checks: readonly Check[] = CHECKS): Batch {
  // Whether times are those of a clock is known when they are read: a batch is the same either way.
  const shape = { ...log, hasClock: log.hasTimes }
  const sums: Record<string, SumsQuery> = {}
  const factors: Record<string, FactorQuery> = {}
  const repaired: Record<string, RowNumber> = { ...repairSums('', {}), ':rows': row.n }
  const own: Window[] = []
  for (const check of checks) {
    if (check.without(shape) !== undefined) continue
    const asked = check.asks(shape)
    own.push(...(asked.windows ?? []))
    for (const [name, query] of Object.entries(asked.sums ?? {})) sums[nameOf(check, name)] = query
    for (const [name, query] of Object.entries(asked.factors ?? {})) factors[nameOf(check, name)] = query
    for (const [name, repair] of Object.entries(asked.repairs ?? {}))
      Object.assign(repaired, repairSums(nameOf(check, name), repair))
  }
  sums[USERS] = { by: [userBucket], sums: repaired }
  return { windows: windowsFor([...windowsOf(shape), ...own], sums, factors), sums, factors }
}

/** Σ w and Σ w r of a repair; those of the log as it is have no name. */
const repairSums = (
  name: string,
  { weight = row.w, reward = row.r }: RowRepair,
): Record<string, RowNumber> => ({
  [`${name}:weight`]: weighedBy(weight),
  [`${name}:reward`]: times(weighedBy(weight), reward),
})

/** The windows that queries name, and those that these name. */
function windowsFor(
  known: readonly Window[],
  sums: Batch['sums'],
  factors: Batch['factors'],
): readonly Window[] {
  const needed = new Set([
    ...Object.values(sums).flatMap((query) => [
      ...query.by.flatMap(({ of }) => namedIn(of)),
      ...Object.values(query.sums).flatMap(namedIn),
    ]),
    ...Object.values(factors).flatMap(({ measure, by, time }) => [
      ...namedIn(measure),
      ...namedIn(by.of),
      ...(time ? namedIn(time.of) : []),
    ]),
  ])
  const windows: Window[] = []
  // Each names only those before it: from the last to the first, whatever is named is known.
  for (const window of known.toReversed()) {
    if (!needed.has(window.name) || isNamedBefore(known, window)) continue
    windows.unshift(window)
    for (const number of [window.of, ...(typeof window.over === 'string' ? [] : window.over)])
      for (const name of namedIn(number)) needed.add(name)
  }
  return windows
}

/** Of windows with the same name, which are the same, the first stands. */
const isNamedBefore = (known: readonly Window[], window: Window): boolean =>
  known.find(({ name }) => name === window.name) !== window

/** What every check makes of the answers to its questions. */
export function outcomesOf(
  shape: LogShape,
  answers: Answers | { readonly lacking: string },
  rows: number,
  checks: readonly Check[] = CHECKS,
): Outcomes {
  return checks.map((check): Outcome => {
    const without = check.without(shape)
    if (without !== undefined) return { check, without, isLacking: false }
    if ('lacking' in answers) return { check, without: answers.lacking, isLacking: true }
    return { check, suspicions: check.judge(heardBy(check, shape, answers, rows), shape) }
  })
}

/** The answers to one check, by its own names. */
function heardBy(check: Check, shape: LogShape, { sums, factors }: Answers, rows: number): Heard {
  const users = sums[USERS]!
  const own = <Value>(all: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(
      Object.entries(all).flatMap(([name, value]): [string, Value][] =>
        name.startsWith(`${check.code}.`) ? [[name.slice(check.code.length + 1), value]] : [],
      ),
    )
  const [weight, reward] = [users[':weight']!, users[':reward']!]
  const [W, S] = [total(weight), total(reward)]
  const asked = check.asks(shape)
  const repaired: Record<string, Repaired> = {}
  for (const name of Object.keys(asked.repairs ?? {})) {
    const ofRepair = (what: string): Float64Array => users[`${nameOf(check, name)}:${what}`]!
    repaired[name] = repairedRows(
      { weight, reward },
      { weight: ofRepair('weight'), reward: ofRepair('reward') },
    )
  }
  for (const [name, answer] of Object.entries(own(factors)))
    repaired[name] = {
      shift: answer.weight > 0 ? answer.reward / answer.weight - S / W : 0,
      users: answer.users,
      effectiveUsers: effective(reward),
    }
  return {
    sums: own(sums),
    factors: own(factors),
    repaired,
    meanWeightZ: meanZ(weight, users[':rows']!),
    rows,
  }
}

interface ByUser {
  readonly weight: Float64Array
  readonly reward: Float64Array
}

/** The shift of a repair of rows, and each user's influence on it: (y′ − θ′x′)/X′ − (y − θx)/X. */
function repairedRows(before: ByUser, after: ByUser): Repaired {
  const [X, Y, own, earned] = [before.weight, before.reward, after.weight, after.reward].map(total) as [
    number,
    number,
    number,
    number,
  ]
  const users = new Float64Array(before.weight.length)
  const effectiveUsers = effective(after.reward)
  if (!(own > 0) || !(X > 0)) return { shift: 0, users, effectiveUsers }
  const [theta, repaired] = [Y / X, earned / own]
  for (let g = 0; g < users.length; g++)
    users[g] =
      (after.reward[g]! - repaired * after.weight[g]!) / own -
      (before.reward[g]! - theta * before.weight[g]!) / X
  return { shift: repaired - theta, users, effectiveUsers }
}

/** (Σy)²/Σy². */
function effective(values: Float64Array): number {
  const squares = values.reduce((sum, value) => sum + value * value, 0)
  return squares > 0 ? total(values) ** 2 / squares : 0
}

/** A mean weight this close to 1 is 1, but for rounded propensities. */
const ROUNDED = 1e-3

/** (w̄ − 1) in its standard errors, by users; infinite where all weights are alike, and not 1. */
function meanZ(weight: Float64Array, rows: Float64Array): number {
  const [W, n] = [total(weight), total(rows)]
  if (Math.abs(W - n) <= ROUNDED * n) return 0
  let squares = 0
  for (let g = 0; g < weight.length; g++) squares += (weight[g]! - (W / n) * rows[g]!) ** 2
  return (W - n) / Math.sqrt(squares)
}

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0)
