import { namedIn } from '../expression.js'
import {
  type Answers,
  type Batch,
  type FactorQuery,
  type RowNumber,
  type Sums,
  type SumsQuery,
  type Window,
  userBucket,
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

/** Repairs by groups take a pass each: what checks ask alike is asked once, by the first of its names. */
function firstNames(): (name: string, query: FactorQuery) => string {
  const names = new Map<string, string>()
  return (name, query) => {
    const text = JSON.stringify(query)
    if (!names.has(text)) names.set(text, name)
    return names.get(text)!
  }
}

/** What every check that applies to such a log asks, with all of its repairs: as a statement asks it, which has no second pass. */
export const batchOf = (log: Omit<LogShape, 'hasClock'>, checks: readonly Check[] = CHECKS): Batch =>
  batchWith(log, checks, { queries: true, repairs: () => true })

/** The queries of checks, and those of their repairs that are asked for by name. */
function batchWith(
  log: Omit<LogShape, 'hasClock'>,
  checks: readonly Check[],
  asking: { queries: boolean; repairs: (name: string, repair: RowRepair) => boolean },
): Batch {
  // Whether times are those of a clock is known when they are read: a batch is the same either way.
  const shape = { ...log, hasClock: log.hasTimes }
  const sums: Record<string, SumsQuery> = {}
  const factors: Record<string, FactorQuery> = {}
  const canonical = firstNames()
  const repaired: Record<string, RowNumber> = { ...repairSums('', {}), ':rows': row.n }
  const own: Window[] = []
  for (const check of checks) {
    if (check.without(shape) !== undefined) continue
    const asked = check.asks(shape)
    own.push(...(asked.windows ?? []))
    for (const [name, repair] of Object.entries(asked.repairs ?? {}))
      if (asking.repairs(nameOf(check, name), repair))
        Object.assign(repaired, repairSums(nameOf(check, name), repair))
    if (!asking.queries) continue
    for (const [name, query] of Object.entries(asked.sums ?? {})) sums[nameOf(check, name)] = query
    for (const [name, query] of Object.entries(asked.factors ?? {}))
      factors[canonical(nameOf(check, name), query)] = query
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

/** Asks a source of rows. */
export type Ask = (batch: Batch) => Promise<Answers | { readonly lacking: string }>

/** What every check makes of a log: first of what it asks, then, where it suspects something, of what the answer would be without it. */
export async function examine(
  ask: Ask,
  shape: LogShape,
  { rows }: { readonly rows: number },
  checks: readonly Check[] = CHECKS,
): Promise<Outcomes> {
  const first = await ask(batchWith(shape, checks, { queries: true, repairs: isAlwaysAsked }))
  const wanted = new Set<string>()
  const outcomes = outcomesOf(shape, first, { rows, wanted }, checks)
  if (wanted.size === 0 || 'lacking' in first) return outcomes
  const second = await ask(batchWith(shape, checks, { queries: false, repairs: (name) => wanted.has(name) }))
  if ('lacking' in second) return outcomesOf(shape, second, { rows, wanted }, checks)
  const users = { ...first.sums[USERS], ...second.sums[USERS] }
  const both = { ...first, sums: { ...first.sums, [USERS]: users } }
  return outcomesOf(shape, both, { rows, wanted }, checks)
}

const isAlwaysAsked = (_: string, repair: RowRepair): boolean => repair.isAlwaysAsked === true

/** How many rows there are, and which repairs were looked at that no answer has. */
interface Hearing {
  readonly rows: number
  readonly wanted: Set<string>
}

function outcomesOf(
  shape: LogShape,
  answers: Answers | { readonly lacking: string },
  hearing: Hearing,
  checks: readonly Check[],
): Outcomes {
  const canonical = firstNames()
  return checks.map((check): Outcome => {
    const without = check.without(shape)
    if (without !== undefined) return { check, without, isLacking: false }
    if ('lacking' in answers) return { check, without: answers.lacking, isLacking: true }
    const factors = Object.fromEntries(
      Object.entries(check.asks(shape).factors ?? {}).map(([name, query]) => [
        name,
        answers.factors[canonical(nameOf(check, name), query)]!,
      ]),
    )
    return { check, suspicions: check.judge(heardBy(check, { ...answers, factors }, hearing), shape) }
  })
}

/** The answers to one check, by its own names; those to its factors have them already. */
function heardBy(check: Check, { sums, factors }: Answers, { rows, wanted }: Hearing): Heard {
  const users = sums[USERS]!
  const own = Object.entries(sums).flatMap(([name, value]): [string, Sums][] =>
    name.startsWith(`${check.code}.`) ? [[name.slice(check.code.length + 1), value]] : [],
  )
  const before = { weight: users[':weight']!, reward: users[':reward']! }
  const value = total(before.reward) / total(before.weight)
  const [weights, rowsOfUsers] = [before.weight, users[':rows']!]
  return {
    sums: Object.fromEntries(own),
    factors,
    repaired: (name) => {
      const factor = factors[name]
      if (factor)
        return {
          shift: factor.weight > 0 ? factor.reward / factor.weight - value : 0,
          users: factor.users,
          effectiveUsers: effective(before.reward),
        }
      const repair = nameOf(check, name)
      const [weight, reward] = [users[`${repair}:weight`], users[`${repair}:reward`]]
      if (weight && reward) return repairedRows(before, { weight, reward })
      wanted.add(repair)
      return NOT_ASKED
    },
    meanWeight: total(weights) / total(rowsOfUsers),
    meanWeightZ: meanZ(weights, rowsOfUsers),
    effectiveUsers: effective(weights),
    rows,
  }
}

/** Stands for a repair until it is asked for. */
const NOT_ASKED: Repaired = { shift: 0, users: new Float64Array(0), effectiveUsers: 0 }

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
