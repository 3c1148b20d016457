import { HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import type { Policy } from '../policy/policy.js'
import type { CrossFitted } from './reward/cross-fit.js'

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
  const probability = targetProbabilities(log, target)
  return probability.map((p, row) => p / propensity[row]!)
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
  const probability = new Float64Array(log.rows)
  forEachUser(log, (user, rows) => {
    const pi = policy.probabilities(user)
    for (const row of rows) probability[row] = pi[log.item[row]!]!
  })
  return probability
}

/** q̂(u, a) and v = Σ_a π(a|u) q̂(u, a) of each row; undefined where v cannot be known. */
export function predictions(
  log: Log,
  target: Target,
  models: CrossFitted,
): { prediction: Float64Array; value: Float64Array } | undefined {
  if (target.kind === 'column') return undefined
  const prediction = new Float64Array(log.rows)
  const value = new Float64Array(log.rows)
  const uniform = new Float64Array(log.itemIds.length).fill(1 / log.itemIds.length)
  // Uniform targets and models that know no users repeat themselves: by model and position.
  const known = new Map<unknown, Map<number, number>>()
  forEachUser(log, (user, rows) => {
    const model = models.modelFor(user)
    const pi = target.kind === 'policy' ? target.policy.probabilities(user) : uniform
    const isShared = target.kind === 'uniform' && !model.perUser
    const values = (isShared && known.get(model)) || new Map<number, number>()
    if (isShared) known.set(model, values)
    for (const row of rows) {
      const position = log.position ? log.position[row]! : 0
      const q = model.predict(user, log.item[row]!, position)
      prediction[row] = q
      if (target.kind === 'logging') {
        // What was shown is itself a draw from the policy.
        value[row] = q
        continue
      }
      let v = values.get(position)
      if (v === undefined) {
        v = 0
        for (let item = 0; item < pi.length; item++)
          if (pi[item]! > 0) v += pi[item]! * model.predict(user, item, position)
        values.set(position, v)
      }
      value[row] = v
    }
  })
  return { prediction, value }
}

/**
 * Probability that the target shows an item which the log never shows, users weighted by their rows:
 * it appears in no weight. Undefined where the catalogue or the policy is not known.
 */
export function unsupportedMass(log: Log, target: Target): number | undefined {
  if (target.kind === 'logging') return 0
  if (target.kind === 'column' || (target.kind === 'uniform' && !log.catalogueKnown)) return undefined
  const shown = new Uint8Array(log.itemIds.length)
  for (const item of log.item) shown[item] = 1
  if (target.kind === 'uniform') return 1 - shown.reduce((sum, isShown) => sum + isShown, 0) / shown.length
  let mass = 0
  forEachUser(log, (user, rows) => {
    const pi = target.policy.probabilities(user)
    let unseen = 0
    for (let item = 0; item < pi.length; item++) if (!shown[item]) unseen += pi[item]!
    mass += unseen * rows.length
  })
  return mass / log.rows
}

/** Visits each user once with all of their rows. */
function forEachUser(log: Log, visit: (user: number, rows: Uint32Array) => void): void {
  const { starts, rows } = rowsByUser(log)
  for (let user = 0; user < log.userIds.length; user++)
    if (starts[user + 1]! > starts[user]!) visit(user, rows.subarray(starts[user], starts[user + 1]))
}

interface RowsByUser {
  /** Where the rows of each user start among `rows`. */
  readonly starts: Uint32Array
  readonly rows: Uint32Array
}

/** Weights, predictions and support ask for the same grouping, so it is kept with the column it groups. */
const grouped = new WeakMap<Uint32Array, RowsByUser>()

function rowsByUser(log: Log): RowsByUser {
  const known = grouped.get(log.user)
  if (known) return known
  const starts = new Uint32Array(log.userIds.length + 1)
  for (let row = 0; row < log.rows; row++) starts[log.user[row]! + 1]!++
  for (let user = 0; user < log.userIds.length; user++) starts[user + 1]! += starts[user]!
  const next = starts.slice(0, -1)
  const rows = new Uint32Array(log.rows)
  for (let row = 0; row < log.rows; row++) rows[next[log.user[row]!]!++] = row
  const made = { starts, rows }
  grouped.set(log.user, made)
  return made
}
