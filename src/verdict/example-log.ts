import { evaluatorOf } from '../estimate/evaluate.js'
import type { Target } from '../estimate/target.js'
import { type Log, takeRows } from '../log/log.js'
import { randomStream } from '../random/stream.js'
import type { Reason } from './verdict.js'

export const SECOND = 1000
export const HOUR = 3600 * SECOND
export const DAY = 24 * HOUR

/** A world with visits, of which logs are drawn; what is not said is as in most of them. */
export interface World {
  readonly seed: number
  readonly rows?: number
  readonly users?: number
  readonly items?: number
  readonly days?: number
  /** Rows of a visit, at most. */
  readonly visit?: number
  /** How unequal users are: their numbers are uniform ones to this power. */
  readonly skew?: number
  /** How much the logging policy follows each user. */
  readonly personal?: number
  /** Pages of two, whose items have places. */
  readonly pages?: boolean
  /** What rewards are, where there is one (default: 1). */
  readonly amount?: (uniform: number) => number
  /** The chance that a row is clicked, where it is another than that of its item and user. */
  readonly chance?: (usual: number, row: DrawnRow) => number
  /** The scores by which the policy shows items, where they change. */
  readonly score?: (usual: number, item: number, row: Omit<DrawnRow, 'item'>) => number
}

export interface DrawnRow {
  readonly user: number
  readonly item: number
  readonly time: number
  readonly visit: number
  /** The place on its page, from 1. */
  readonly position: number
  /** The row before it of the same user; undefined for the first. */
  readonly before: { readonly item: number; readonly reward: number } | undefined
}

/** A log, the visit of each row, and the probabilities of the policy that drew it. */
export interface ExampleLog {
  readonly log: Log
  readonly visits: readonly number[]
  /** π of each row under a policy that prefers what the logging policy does not. */
  readonly target: Float64Array
}

const softmax = (scores: readonly number[]): number[] => {
  const terms = scores.map((score) => Math.exp(score))
  const sum = terms.reduce((all, one) => all + one, 0)
  return terms.map((term) => term / sum)
}

/** Rows in the order of time; good items are shown more often, and users differ in how much they click. */
export function drawLog({
  seed,
  rows = 8000,
  users = 400,
  items = 12,
  days = 14,
  visit = 4,
  skew = 1,
  personal = 0,
  pages = false,
  amount = () => 1,
  chance = (usual) => usual,
  score = (usual) => usual,
}: World): ExampleLog {
  const { uniform } = randomStream(seed, 'example log')
  const below = (n: number): number => Math.floor(n * uniform())
  const quality = Array.from({ length: items }, (_, a) => (a + 0.5) / items)
  const level = Array.from({ length: users }, () => 0.4 + 1.2 * uniform())
  // Only the first half of a day has visits.
  const starts = Array.from({ length: Math.ceil((2 * rows) / visit) }, (_, v) => ({
    user: Math.floor(users * uniform() ** skew),
    visit: v,
    time: 1.76e12 + below(days) * DAY + Math.floor(0.9 * DAY * uniform()),
    length: 1 + below(visit),
  }))
  const shown = starts
    .flatMap(({ user, visit: v, time, length }) =>
      Array.from({ length: pages ? 2 * Math.ceil(length / 2) : length }, (_, k) => ({
        user,
        visit: v,
        position: pages ? 1 + (k % 2) : 1,
        page: v * visit + Math.floor(k / 2),
        time: time + (pages ? Math.floor(k / 2) : k) * 90 * SECOND,
      })),
    )
    .toSorted((a, b) => a.time - b.time)
    .slice(0, rows)
  const last = new Map<number, { item: number; reward: number }>()
  const drawn = shown.map(({ user, visit: v, time, position, page }) => {
    const row = { user, time, visit: v, position, before: last.get(user) }
    const scores = quality.map((q, a) => score(1.5 * q + (a % 3 === user % 3 ? personal : 0), a, row))
    const probabilities = softmax(scores)
    let [item, rest] = [0, uniform()]
    while (item < items - 1 && (rest -= probabilities[item]!) >= 0) item++
    const usual = (0.05 + 0.4 * quality[item]!) * level[user]! * (item % 3 === user % 3 ? 1.2 : 0.9)
    const isClicked = uniform() < chance(usual, { ...row, item })
    const reward = isClicked ? amount(uniform()) : 0
    last.set(user, { item, reward })
    const against = softmax(scores.map((one) => -one))
    return {
      user,
      time,
      visit: v,
      position,
      page,
      item,
      reward,
      propensity: probabilities[item]!,
      target: against[item]!,
    }
  })
  const column = (name: 'reward' | 'propensity' | 'time' | 'position' | 'target'): Float64Array =>
    Float64Array.from(drawn, (row) => row[name])
  const ids = (name: 'user' | 'item' | 'page'): { index: Uint32Array; ids: string[] } => {
    const index = new Map<number, number>()
    for (const row of drawn) if (!index.has(row[name])) index.set(row[name], index.size)
    return {
      index: Uint32Array.from(drawn, (row) => index.get(row[name])!),
      ids: [...index.keys()].map(String),
    }
  }
  const [user, item] = [ids('user'), ids('item')]
  const page = pages ? ids('page') : undefined
  return {
    visits: drawn.map((row) => row.visit),
    target: column('target'),
    log: {
      rows: drawn.length,
      user: user.index,
      userIds: user.ids,
      item: item.index,
      itemIds: item.ids,
      catalogueKnown: false,
      reward: column('reward'),
      propensity: column('propensity'),
      propensitySource: 'logged',
      time: column('time'),
      ...(page && { slate: page.index, slateIds: page.ids, position: column('position') }),
    },
  }
}

/** Sound logs of several kinds. */
export const SOUND: Readonly<Record<string, Omit<World, 'seed'>>> = {
  plain: {},
  'few rows': { rows: 600, users: 60 },
  'unequal users': { skew: 3 },
  'a personal logger': { personal: 1.5, items: 9 },
  'rare clicks': { chance: (usual) => usual / 20 },
  amounts: { amount: (uniform) => Math.ceil(20 / (0.1 + uniform)) },
  'a policy that changes by day': {
    score: (usual, item, { time }) => usual + Math.sin(time / (3 * DAY) + item),
  },
  'users who click more in the evening': {
    chance: (usual, { time }) => usual * (0.6 + 0.5 * Math.sin((time / DAY) * 2 * Math.PI)),
  },
  'a policy that follows clicks': {
    score: (usual, item, { before }) => usual + (before?.item === item && before.reward > 0 ? 1 : 0),
  },
}

/** A log with other rewards. */
export const withRewards = (log: Log, reward: (row: number) => number): Log => ({
  ...log,
  reward: Float64Array.from({ length: log.rows }, (_, row) => reward(row)),
})

/** A log with other propensities. */
export const withPropensities = (log: Log, propensity: (row: number) => number): Log => ({
  ...log,
  propensity: Float64Array.from({ length: log.rows }, (_, row) => propensity(row)),
})

/** The rows of a log that are kept. */
export const keepRows = (log: Log, isKept: (row: number) => boolean): Log =>
  takeRows(
    log,
    Uint32Array.from({ length: log.rows }, (_, row) => row).filter((row) => isKept(row)),
  )

/** Rows again, later by so many milliseconds, all in the order of time. */
export function repeatRows(log: Log, isRepeated: (row: number) => boolean, delay = 0): Log {
  const again = Array.from({ length: log.rows }, (_, row) => row).filter((row) => isRepeated(row))
  const all = takeRows(log, Uint32Array.of(...Array.from({ length: log.rows }, (_, row) => row), ...again))
  const time = all.time!.map((moment, place) => (place < log.rows ? moment : moment + delay))
  const order = Uint32Array.from(time, (_, place) => place).sort((a, b) => time[a]! - time[b]! || a - b)
  return takeRows({ ...all, time }, order)
}

/** Rewards by group, the largest of each. */
export function largestReward(log: Log, groupOf: (row: number) => string | number): (row: number) => number {
  const most = new Map<string | number, number>()
  for (let row = 0; row < log.rows; row++)
    most.set(groupOf(row), Math.max(most.get(groupOf(row)) ?? 0, log.reward[row]!))
  return (row) => most.get(groupOf(row))!
}

/** The value of a policy by SNIPS, half of its interval, and what the verdict says against it. */
export interface JudgedLog {
  readonly value: number
  readonly half: number
  readonly reasons: readonly Reason[]
}

export async function judgeLog(log: Log, target: Target = { kind: 'uniform' }): Promise<JudgedLog> {
  const { evaluation } = await evaluatorOf(log, { estimators: ['snips'], decides: false }).evaluate(target)
  const { value, interval, verdict } = evaluation.estimates[0]!
  return { value: value!, half: (interval![1] - interval![0]) / 2, reasons: verdict.reasons }
}

/** What a check says against a log with a fault, beside the log without it. */
export interface FaultFound {
  readonly code: string
  readonly level: Reason['level']
  /** How far the answer is from that of the log without the fault, and how far when it is repaired. */
  readonly off: number
  readonly left: number
  readonly reason: Reason
  /** The codes of whatever else is said. */
  readonly others: readonly string[]
}

/** What a check says against a log that has a fault; undefined where it says nothing. */
export async function findFault(
  code: string,
  sound: Log,
  faulty: Log,
  target?: Target,
): Promise<FaultFound | undefined> {
  const [before, after] = [await judgeLog(sound, target), await judgeLog(faulty, target)]
  const reason = after.reasons.find((one) => one.code === code)
  if (!reason) return undefined
  const off = after.value - before.value
  const others = after.reasons.flatMap((one) => (one === reason ? [] : [one.code]))
  return { code, level: reason.level, off, left: off + (reason.shift ?? 0), reason, others }
}
