import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'
import { contextColumn, userOfContext } from '../log/contexts.js'
import type { Log } from '../log/log.js'
import { formatCount } from '../number-text.js'
import { forEachGroup, groupRows, type RowGroups } from '../log/row-groups.js'
import type { Policy } from '../policy/policy.js'
import { sumsToOne } from '../read/policy/rounding.js'
import { uniformPolicy } from '../policy/probabilities.js'
import type { CrossFitted, FittedReward } from './reward/reward-model.js'

/** The policy whose value is asked for. */
export type Target =
  | { readonly kind: 'uniform' }
  | { readonly kind: 'logging' }
  /** π(a|x) of the item of each row stands in the log; of other items it is not known. */
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'policy'; readonly policy: Policy }

export const targetName = (target: Target): string =>
  target.kind === 'policy'
    ? target.policy.name
    : target.kind === 'column'
      ? `column:${target.name}`
      : target.kind

/** Throws where no target was named: there is no policy that anybody must have meant. */
export function requireTarget(target: Target | undefined): asserts target is Target {
  if (target) return
  throw new HindcastError('bad-option', 'No target is named: which policy is asked about?', {
    remedy: advice`Give one with ${set('target')}: { kind: 'uniform' }, { kind: 'logging' }, { kind: 'column', name } for a column of the log with its probabilities, or { kind: 'policy', policy }, such as policyForLog of a file, or popularityTargets(log).by({ kind: 'best' }).`,
  })
}

/** w = π(a|x)/b(a|x) for each row, x its context. */
export function importanceWeights(log: Log, target: Target): Float64Array {
  if (target.kind === 'logging') return new Float64Array(log.rows).fill(1)
  const { propensity } = log
  if (!propensity)
    throw new HindcastError(
      'missing-propensity',
      'The log has no propensities, so no other policy can be evaluated.',
      {
        remedy: advice`Log them, or choose what to assume with ${set('propensity')}.`,
      },
    )
  const weights = targetProbabilities(log, target)
  // + 0, because a probability may be written as −0, whose bits do not compare as those of 0 do.
  for (let row = 0; row < weights.length; row++) weights[row] = weights[row]! / propensity[row]! + 0
  return weights
}

/** π(a|x) of the item of each row. */
function targetProbabilities(log: Log, target: Exclude<Target, { kind: 'logging' }>): Float64Array {
  if (target.kind === 'uniform') return new Float64Array(log.rows).fill(1 / log.itemIds.length)
  if (target.kind === 'column') {
    if (log.target) return log.target.slice()
    throw new HindcastError(
      'missing-column',
      `The log has no column with the probabilities of the target ${target.name}.`,
      {
        remedy: advice`Name it with ${set('columns', `target=${target.name}`)}.`,
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
  if (policy.ofPairs) {
    // Pairs are asked for where all probabilities of every context would cost too much.
    const { index } = contextColumn(log)
    for (let row = 0; row < Math.min(log.rows, LOOKED_AT); row++)
      if (!policy.followsLogging?.(index[row]!))
        requireSum(log, policy, row, policy.probabilities(index[row]!))
    return policy.ofPairs(index, log.item)
  }
  return policy.groupOf ? probabilitiesByGroup(log, policy) : probabilitiesByContext(log, policy)
}

/** Of a policy that is asked for pairs, the decisions of so many rows are looked at whole. */
const LOOKED_AT = 10

/** Throws where the probabilities of a decision sum to more than 1, by more than rounding. */
function requireSum(log: Log, policy: Policy, row: number, probabilities: Float64Array): void {
  const context = contextColumn(log).index[row]!
  let sum = policy.outside?.(context) ?? 0
  for (let item = 0; item < probabilities.length; item++) sum += probabilities[item]!
  if (sum <= 1 || sumsToOne(sum, probabilities)) return
  const user = JSON.stringify(log.userIds[log.user[row]!])
  throw new HindcastError(
    'bad-option',
    `The policy ${policy.name}: its probabilities for user ${user} in row ${formatCount(row + 1)} sum to ${Number(sum.toPrecision(6))}, not 1.`,
    { remedy: 'Divide the probabilities of each decision by their sum.' },
  )
}

function probabilitiesByContext(log: Log, policy: Policy): Float64Array {
  const probability = new Float64Array(log.rows)
  forEachContext(log, (context, rows) => {
    // What the logging policy shows has the logged probability, and so a weight of 1.
    if (policy.followsLogging?.(context)) for (const row of rows) probability[row] = log.propensity![row]!
    else {
      const pi = policy.probabilities(context)
      requireSum(log, policy, rows[0]!, pi)
      for (let k = 0; k < rows.length; k++) probability[rows[k]!] = pi[log.item[rows[k]!]!]!
    }
  })
  return probability
}

/** The same where contexts share probabilities: rows are visited as they stand, which is quicker than one context after another. */
function probabilitiesByGroup(log: Log, policy: Policy): Float64Array {
  const { rows, item } = log
  const { index, count } = contextColumn(log)
  // Where the probabilities of each context's group begin in a table of all of them.
  const starts = Uint32Array.from({ length: count }, (_, context) => policy.groupOf!(context) * policy.items)
  const table = new Float64Array(policy.items + starts.reduce((last, start) => Math.max(last, start), 0))
  const isKnown = new Set<number>()
  const probability = new Float64Array(rows)
  for (let row = 0; row < rows; row++) {
    const start = starts[index[row]!]!
    if (!isKnown.has(start)) {
      const pi = policy.probabilities(index[row]!)
      requireSum(log, policy, row, pi)
      table.set(pi, start)
      isKnown.add(start)
    }
    probability[row] = table[start + item[row]!]!
  }
  return probability
}

/** q̂(x, a) and v = Σ_a π(a|x) q̂(x, a) of each row, x its context; undefined where v cannot be known. */
export function predictions(
  log: Log,
  target: Target,
  models: CrossFitted,
): { prediction: Float64Array; value: Float64Array } | undefined {
  if (target.kind === 'column') return undefined
  const prediction = predictionsOfShown(log, models)
  return { prediction, value: valuesOfTarget(log, target, models, prediction) }
}

/** q̂(x, a) of the item of each row. */
export function predictionsOfShown(log: Log, models: CrossFitted): Float64Array {
  const prediction = new Float64Array(log.rows)
  for (let row = 0; row < log.rows; row++)
    prediction[row] = models.modelFor(log.user[row]!).predict(row, log.item[row]!)
  return prediction
}

/** v = Σ_a π(a|x) q̂(x, a) of each row, at its position; `prediction` is what the models predict for the items shown. */
export function valuesOfTarget(
  log: Log,
  target: Exclude<Target, { kind: 'column' }>,
  models: CrossFitted,
  prediction: Float64Array,
): Float64Array {
  // What was shown is itself a draw from the logging policy.
  if (target.kind === 'logging') return prediction
  const value = new Float64Array(log.rows)
  if (log.rows === 0) return value
  const policy = target.kind === 'policy' ? target.policy : uniformPolicy(log.itemIds.length)
  // All are fits of one kind of model.
  const { dependsOn } = models.modelFor(log.user[0]!)
  const { position } = log
  const isLogging = (context: number): boolean => policy.followsLogging?.(context) ?? false
  const forEachModel = (visit: (context: number, rows: Uint32Array, model: FittedReward) => void): void =>
    forEachContext(log, (context, rows) => {
      if (!isLogging(context)) visit(context, rows, models.modelFor(userOfContext(log, context)))
    })
  const expected = (context: number, model: FittedReward, row: number): number =>
    expectedReward(policy, context, model, row)

  if (dependsOn === 'row')
    forEachModel((context, rows, model) => {
      for (const row of rows) value[row] = expected(context, model, row)
    })
  else if (dependsOn === 'position' && position) {
    const shared = sharedByGroup<Map<number, number>>(policy)
    forEachModel((context, rows, model) => {
      const at = shared(model, context, () => new Map())
      for (const row of rows) {
        const place = position[row]!
        if (!at.has(place)) at.set(place, expected(context, model, row))
        value[row] = at.get(place)!
      }
    })
  } else {
    const { index, count } = contextColumn(log)
    const ofContext = new Float64Array(count)
    const shared = sharedByGroup<number>(policy)
    forEachModel((context, rows, model) => {
      const make = (): number => expected(context, model, rows[0]!)
      ofContext[context] = dependsOn === 'context' ? make() : shared(model, context, make)
    })
    for (let row = 0; row < log.rows; row++) value[row] = ofContext[index[row]!]!
  }
  if (policy.followsLogging)
    forEachContext(log, (context, rows) => {
      if (isLogging(context)) for (const row of rows) value[row] = prediction[row]!
    })
  return value
}

/** What contexts of one group have in common under a model that knows no contexts: made once for each group and model. */
function sharedByGroup<Value>(
  policy: Policy,
): (model: FittedReward, context: number, make: () => Value) => Value {
  const known = new Map<FittedReward, Value[]>()
  return (model, context, make) => {
    if (!policy.groupOf) return make()
    const ofGroup = known.get(model) ?? []
    known.set(model, ofGroup)
    return (ofGroup[policy.groupOf(context)] ??= make())
  }
}

function expectedReward(policy: Policy, context: number, model: FittedReward, row: number): number {
  const pi = policy.probabilities(context)
  let expected = 0
  for (let item = 0; item < pi.length; item++)
    if (pi[item]! > 0) expected += pi[item]! * model.predict(row, item)
  const outside = policy.outside?.(context) ?? 0
  return outside > 0 ? expected + outside * rewardOutside(model, expected, 1 - outside) : expected
}

/**
 * q̂ of items that the log does not have: where the model knows nothing of them, the mean of the others, whose sum of π·q̂
 * and whose probability are given.
 */
export const rewardOutside = (model: FittedReward, sum: number, probability: number): number =>
  model.unknownItem ?? sum / probability

/**
 * Probability that the target shows an item which the log never shows, or does not have at all, contexts weighted by
 * their rows: it appears in no weight. Undefined where the catalogue or the policy is not known.
 */
export function unsupportedMass(log: Log, target: Target, shown = shownItems(log)): number | undefined {
  if (target.kind === 'logging') return 0
  if (target.kind === 'column' || (target.kind === 'uniform' && !log.catalogueKnown)) return undefined
  const never = Uint32Array.from(shown.keys()).filter((item) => shown[item] === 0)
  if (target.kind === 'uniform') return never.length / shown.length
  const { policy } = target
  if (never.length === 0 && !policy.outside) return 0
  const ofGroup: number[] = []
  const unseen = (context: number): number => {
    if (policy.followsLogging?.(context)) return 0
    const outside = policy.outside?.(context) ?? 0
    if (policy.ofItems) return policy.ofItems(context, never).reduce((sum, share) => sum + share, outside)
    const pi = policy.probabilities(context)
    return never.reduce((sum, item) => sum + pi[item]!, outside)
  }
  let mass = 0
  forEachContext(log, (context, rows) => {
    const own = policy.groupOf ? (ofGroup[policy.groupOf(context)] ??= unseen(context)) : unseen(context)
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

/** Visits each context that has rows once, with all of them. */
export function forEachContext(log: Log, visit: (context: number, rows: Uint32Array) => void): void {
  const { index, count } = contextColumn(log)
  let groups = grouped.get(index)
  if (!groups) grouped.set(index, (groups = groupRows(index, count)))
  forEachGroup(groups, visit)
}

/** Weights, predictions and support ask for the same grouping, so it is kept with the column it groups. */
const grouped = new WeakMap<Uint32Array, RowGroups>()
