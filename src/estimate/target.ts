import { HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import { forEachGroup, type RowGroups, rowsByUser } from '../log/row-groups.js'
import type { Policy } from '../policy/policy.js'
import { uniformPolicy } from '../policy/uniform.js'
import type { CrossFitted } from './reward/cross-fit.js'
import type { FittedReward } from './reward/reward-model.js'

/** The policy whose value is asked for. */
export type Target =
  | { readonly kind: 'uniform' }
  | { readonly kind: 'logging' }
  /** π(a|u) of the item of each row stands in the log; of other items it is not known. */
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'policy'; readonly policy: Policy }

export const targetName = (target: Target): string =>
  target.kind === 'policy'
    ? target.policy.name
    : target.kind === 'column'
      ? `column:${target.name}`
      : target.kind

/** w = π(a|u)/b(a|u) for each row. */
export function importanceWeights(log: Log, target: Target): Float64Array {
  if (target.kind === 'logging') return new Float64Array(log.rows).fill(1)
  const { propensity } = log
  if (!propensity)
    throw new HindcastError(
      'missing-propensity',
      'The log has no propensities, so nothing is known about another policy.',
      {
        remedy: 'Log them, or say what to assume with --propensity.',
      },
    )
  const weights = targetProbabilities(log, target)
  // + 0, because a probability may be written as −0, whose bits do not compare as those of 0 do.
  for (let row = 0; row < weights.length; row++) weights[row] = weights[row]! / propensity[row]! + 0
  return weights
}

/** π(a|u) of the item of each row. */
function targetProbabilities(log: Log, target: Exclude<Target, { kind: 'logging' }>): Float64Array {
  if (target.kind === 'uniform') return new Float64Array(log.rows).fill(1 / log.itemIds.length)
  if (target.kind === 'column') {
    if (log.target) return log.target.slice()
    throw new HindcastError(
      'missing-column',
      `The log has no column with the probabilities of the target ${target.name}.`,
      {
        remedy: `Name it with --columns target=${target.name}.`,
      },
    )
  }
  const { policy } = target
  if (policy.items !== log.itemIds.length)
    throw new HindcastError(
      'bad-option',
      `The policy ${policy.name} is for ${policy.items} items, the log has ${log.itemIds.length}.`,
      {
        remedy: 'Make the policy for the items of the log, in the order of its itemIds.',
      },
    )
  return policy.groupOf ? probabilitiesByGroup(log, policy) : probabilitiesByUser(log, policy)
}

function probabilitiesByUser(log: Log, policy: Policy): Float64Array {
  const probability = new Float64Array(log.rows)
  forEachUser(log, (user, rows) => {
    const pi = policy.probabilities(user)
    for (const row of rows) probability[row] = pi[log.item[row]!]!
  })
  return probability
}

/** The same where users share probabilities: rows are visited as they stand, which is quicker than user by user. */
function probabilitiesByGroup({ rows, user, userIds, item }: Log, policy: Policy): Float64Array {
  // Where the probabilities of each user's group begin in a table of all of them.
  const starts = Uint32Array.from(userIds, (_, index) => policy.groupOf!(index) * policy.items)
  const table = new Float64Array(policy.items + starts.reduce((last, start) => Math.max(last, start), 0))
  const isKnown = new Set<number>()
  starts.forEach((start, index) => {
    if (isKnown.has(start)) return
    table.set(policy.probabilities(index), start)
    isKnown.add(start)
  })
  const probability = new Float64Array(rows)
  for (let row = 0; row < rows; row++) probability[row] = table[starts[user[row]!]! + item[row]!]!
  return probability
}

/** q̂(u, a) and v = Σ_a π(a|u) q̂(u, a) of each row; undefined where v cannot be known. */
export function predictions(
  log: Log,
  target: Target,
  models: CrossFitted,
): { prediction: Float64Array; value: Float64Array } | undefined {
  if (target.kind === 'column') return undefined
  const prediction = predictionsOfShown(log, models)
  return { prediction, value: valuesOfTarget(log, target, models, prediction) }
}

/** q̂(u, a) of the item of each row. */
export function predictionsOfShown(log: Log, models: CrossFitted): Float64Array {
  const prediction = new Float64Array(log.rows)
  forEachUser(log, (user, rows) => {
    const model = models.modelFor(user)
    for (const row of rows)
      prediction[row] = model.predict(user, log.item[row]!, log.position ? log.position[row]! : 0)
  })
  return prediction
}

/** v = Σ_a π(a|u) q̂(u, a) of each row, at its position; `prediction` is what the models predict for the items shown. */
export function valuesOfTarget(
  log: Log,
  target: Exclude<Target, { kind: 'column' }>,
  models: CrossFitted,
  prediction: Float64Array,
): Float64Array {
  // What was shown is itself a draw from the logging policy.
  if (target.kind === 'logging') return prediction
  const value = new Float64Array(log.rows)
  const policy = target.kind === 'policy' ? target.policy : uniformPolicy(log.itemIds.length)
  // Users of one group and models that know no users repeat themselves: by model, group and position.
  const known = new Map<FittedReward, Map<number, number>[]>()
  const valueFor = (user: number): ((position: number) => number) => {
    const model = models.modelFor(user)
    let values = new Map<number, number>()
    if (policy.groupOf && !model.perUser) {
      const byGroup = known.get(model) ?? []
      known.set(model, byGroup)
      values = byGroup[policy.groupOf(user)] ??= values
    }
    return (position) => {
      let v = values.get(position)
      if (v === undefined)
        values.set(position, (v = expectedReward(policy.probabilities(user), model, user, position)))
      return v
    }
  }
  const { position } = log
  if (position)
    forEachUser(log, (user, rows) => {
      const at = valueFor(user)
      for (const row of rows) value[row] = at(position[row]!)
    })
  else {
    const ofUser = new Float64Array(log.userIds.length)
    forEachUser(log, (user) => (ofUser[user] = valueFor(user)(0)))
    for (let row = 0; row < log.rows; row++) value[row] = ofUser[log.user[row]!]!
  }
  return value
}

function expectedReward(pi: Float64Array, model: FittedReward, user: number, position: number): number {
  let expected = 0
  for (let item = 0; item < pi.length; item++)
    if (pi[item]! > 0) expected += pi[item]! * model.predict(user, item, position)
  return expected
}

/**
 * Probability that the target shows an item which the log never shows, users weighted by their rows:
 * it appears in no weight. Undefined where the catalogue or the policy is not known.
 */
export function unsupportedMass(log: Log, target: Target, shown = shownItems(log)): number | undefined {
  if (target.kind === 'logging') return 0
  if (target.kind === 'column' || (target.kind === 'uniform' && !log.catalogueKnown)) return undefined
  const never = Uint32Array.from(shown.keys()).filter((item) => shown[item] === 0)
  if (target.kind === 'uniform') return never.length / shown.length
  if (never.length === 0) return 0
  const { policy } = target
  const ofGroup: number[] = []
  const unseen = (user: number): number => {
    const pi = policy.probabilities(user)
    return never.reduce((sum, item) => sum + pi[item]!, 0)
  }
  let mass = 0
  forEachUser(log, (user, rows) => {
    const own = policy.groupOf ? (ofGroup[policy.groupOf(user)] ??= unseen(user)) : unseen(user)
    mass += own * rows.length
  })
  return mass / log.rows
}

/** 1 for each item that the log shows, 0 for the others. */
export function shownItems({ item, itemIds }: Log): Uint8Array {
  const shown = new Uint8Array(itemIds.length)
  for (let row = 0; row < item.length; row++) shown[item[row]!] = 1
  return shown
}

/** Visits each user once with all of their rows. */
function forEachUser(log: Log, visit: (user: number, rows: Uint32Array) => void): void {
  let groups = grouped.get(log.user)
  if (!groups) grouped.set(log.user, (groups = rowsByUser(log)))
  forEachGroup(groups, visit)
}

/** Weights, predictions and support ask for the same grouping, so it is kept with the column it groups. */
const grouped = new WeakMap<Uint32Array, RowGroups>()
