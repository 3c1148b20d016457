import { DIAGNOSTIC_TERMS } from '../estimate/diagnostics.js'
import { valueOf } from '../estimate/estimator.js'
import { ips, snips } from '../estimate/estimators/importance.js'
import { intervalFor } from '../estimate/intervals/index.js'
import { momentsOf } from '../estimate/source/prepared-log.js'
import { one, weight, weightSquared } from '../estimate/term.js'
import type { UnseenRows } from '../estimate/unseen.js'
import { neighboursOf } from '../graph/graph.js'
import type { Numbers } from '../kernels/kernel.js'
import type { Log } from '../log/log.js'
import { rowsByUser } from '../log/row-groups.js'
import { type WorkOptions, pauses } from '../model/long-work.js'
import { sharesByRank } from '../policy/ruled-policy.js'
import { exp, log as naturalLog } from '../portable-math.js'
import type { PolicyValue } from './training.js'

/**
 * What a policy surely earns is the lower of the lower bounds of SNIPS and IPS. Where the policy shows items that the
 * logging policy shows hardly ever, a log may miss them, and all it has average less than 1 in weight. SNIPS takes the
 * missing ones to earn what the others do; IPS, with rewards of at least 0, takes them to earn nothing.
 */
export const CAREFUL_ESTIMATORS = [snips.name, ips.name] as const

/** The log with rewards counted from the lowest, where that is below 0: IPS then takes what is missing to earn the lowest. */
export function fromFloor(log: Log): { readonly raised: Log; readonly floor: number } {
  const floor = log.reward.reduce((least, reward) => Math.min(least, reward), 0)
  return floor < 0
    ? { raised: { ...log, reward: log.reward.map((reward) => reward - floor) }, floor }
    : { raised: log, floor }
}

/** Scores of all items for some users, row after row; the array is fresh, to be written into. */
export type ScoreTable = (users: Uint32Array) => Promise<Numbers>

/** Users scored at a time. */
const TILE = 256

/** SNIPS of the policy softmax(scores / temperature) over the items each user was not shown in training, with its interval by user. */
export async function policyValue(
  held: UnseenRows,
  scores: ScoreTable,
  temperature: number,
): Promise<PolicyValue> {
  const { log } = held
  const probabilities = await policyProbabilities(held, scores, temperature)
  const weights = probabilities.map((share, row) => share / log.propensity![row]!)
  const moments = momentsOf({ log, weight: weights }, DIAGNOSTIC_TERMS, 'user')
  const squares = moments.total(weightSquared)
  const ess = squares > 0 ? moments.total(weight) ** 2 / squares : null
  const { interval, reason } = log.rows > 0 ? intervalFor(snips, moments) : { interval: null }
  return {
    value: valueOf(snips, moments) ?? null,
    interval,
    ess,
    essRatio: ess === null ? null : ess / moments.total(one),
    ...(reason !== undefined && { doubt: reason }),
  }
}

/**
 * The same with what the policy surely earns, judged as `evaluate` does: an answer that its verdict refuses is in doubt.
 * Faults of the log, which all policies share, do not count. Where the rows that are held out are by context, `logged`
 * are the same rows by the users on whom they depend.
 */
export async function judgedPolicyValue(
  held: UnseenRows,
  scores: ScoreTable,
  temperature: number,
  logged = held.log,
): Promise<PolicyValue> {
  return judged(logged, await policyProbabilities(held, scores, temperature))
}

/** The value of showing the items that training did not show in proportion to 1/rank, judged as above: models of any scale explore equally. */
export const rankPolicyValue = async (
  held: UnseenRows,
  scores: ScoreTable,
  work?: WorkOptions,
): Promise<PolicyValue> =>
  judged(
    held.log,
    await probabilitiesOf(
      held,
      scores,
      (logits) => {
        const shares = sharesByRank(Float64Array.from(logits))
        return (item) => shares[item]!
      },
      work,
    ),
  )

async function judged(held: Log, target: Float64Array): Promise<PolicyValue> {
  const { raised, floor } = fromFloor(held)
  // Only objectives need it, so only they load it.
  const { evaluate } = await import('../estimate/evaluate.js')
  const { evaluation } = await evaluate(
    { ...raised, target },
    { target: { kind: 'column', name: 'policy' }, estimators: CAREFUL_ESTIMATORS, checks: false },
  )
  const { estimates, diagnostics } = evaluation
  const { value, interval, reason } = estimates[0]!
  const refused = estimates.find(({ verdict }) => verdict.level === 'refuse')
  const doubt = refused?.verdict.reasons[0]!.message ?? reason
  return {
    value: value === null ? null : value + floor,
    interval: interval && [interval[0] + floor, interval[1] + floor],
    atLeast: estimates.some((one) => !one.interval)
      ? null
      : Math.min(...estimates.map((one) => one.interval![0])) + floor,
    ess: diagnostics.ess,
    essRatio: diagnostics.essRatio,
    ...(doubt !== undefined && { doubt }),
  }
}

/** π of the item of each row by softmax(scores / temperature). */
const policyProbabilities = (
  held: UnseenRows,
  scores: ScoreTable,
  temperature: number,
): Promise<Float64Array> =>
  probabilitiesOf(held, scores, (logits) => {
    const total = logSum(logits, temperature)
    return (item) => exp(logits[item]! / temperature - total)
  })

/** π of the item of each row, among the items its user was not shown in training; those have a score of −Infinity. */
async function probabilitiesOf(
  { log, shown }: UnseenRows,
  scores: ScoreTable,
  policyOf: (logits: Numbers) => (item: number) => number,
  work?: WorkOptions,
): Promise<Float64Array> {
  const pause = work && pauses(work.signal)
  const { start, rows } = rowsByUser(log)
  const users = Uint32Array.from(log.userIds.keys()).filter((user) => start[user + 1]! > start[user]!)
  const probabilities = new Float64Array(log.rows)
  for (let first = 0; first < users.length; first += TILE) {
    const tile = users.subarray(first, first + TILE)
    await pause?.()
    work?.progress?.({ what: 'valuing the lists', done: first, total: users.length, unit: 'users' })
    const table = await scores(tile)
    tile.forEach((user, place) => {
      const logits = table.subarray(place * shown.items, (place + 1) * shown.items)
      for (const item of neighboursOf(shown.byUser, user)) logits[item] = -Infinity
      const policy = policyOf(logits)
      for (const row of rows.subarray(start[user], start[user + 1]))
        probabilities[row] = policy(log.item[row]!)
    })
  }
  return probabilities
}

/** log Σ exp(logit / T), kept within range by the largest. */
export function logSum(logits: Numbers, temperature: number): number {
  let most = -Infinity
  for (let item = 0; item < logits.length; item++) most = Math.max(most, logits[item]!)
  let sum = 0
  for (let item = 0; item < logits.length; item++) sum += exp((logits[item]! - most) / temperature)
  return most / temperature + naturalLog(sum)
}
