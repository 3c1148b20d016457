import { advice, set } from '../advice.js'
import { badOption } from '../error.js'
import type { Log } from '../log/log.js'
import { exp, log as naturalLog, softplus } from '../portable-math.js'
import { classesByCount, type ExposureModel, type ItemClasses } from './exposure-model.js'
import type { UserFolds } from './user-folds.js'

/**
 * b(a|u) from the activity of user and item. Each of the m_u impressions of a user is a trial for every item:
 *   P(it shows a) = 1/(1 + e^(−z)),  z = β₀ + β₁ x_u + β₂ x_a + β₃ x_u x_a,
 * x_u = ln(m_u / mean m), x_a = ln(K (c_a + ½)/(N + K/2)) for c_a of N impressions, K items in all. β is fitted to the
 * whole grid of users and items, counted in cells of equal activity. An impression shows one item, so b is that
 * probability divided by its sum over the items. Impressions are the trials, rather than whether u was ever
 * shown a, because the latter is 1 for everything if users see most items, and then carries no information.
 *
 * Cross-fitted twice: c_a and β for a user come from the other folds, and while β is fitted, c_a for a user of
 * fold g leaves out g as well. If g were included, an item with one impression would seem sure to be shown again,
 * and an item with none sure not to be.
 */
export function logisticModel(log: Log, { count, foldOf }: UserFolds): ExposureModel {
  refuse(log, count)
  const users = activeUsers(log, foldOf)
  const shown = Array.from({ length: count }, () => new Float64Array(log.itemIds.length))
  for (let row = 0; row < log.rows; row++)
    shown[foldOf[log.user[row]!]!]![log.item[row]!]! += log.weight ? log.weight[row]! : 1

  const coefficients = new Float64Array(4)
  const fitted = shown.map((_, fold) => {
    const meanActivity = meanActivityOf(users.groups.filter((group) => group.fold !== fold))
    const itemsFor = (block: number): ActiveItems =>
      activeItems(shown.filter((_, other) => other !== fold && other !== block))
    const grid = gridOf(
      log,
      users,
      shown.map((_, block) => (block === fold ? undefined : itemsFor(block))),
      meanActivity,
    )
    const beta = logisticRegression(grid)
    beta.forEach((value, k) => (coefficients[k]! += value / count))
    return { beta, meanActivity, items: itemsFor(fold) }
  })

  let unseenRows = 0
  for (let row = 0; row < log.rows; row++) {
    const { classOf, counts } = fitted[foldOf[log.user[row]!]!]!.items
    if (counts[classOf[log.item[row]!]!] === 0) unseenRows++
  }
  const [intercept, user, item, both] = Array.from(coefficients) as [number, number, number, number]
  return {
    parameters: { intercept, user, item, both, unseenRows },
    groupOf: users.groupOf,
    groups: users.groups.map(({ fold, activity }) => {
      const { beta, meanActivity, items } = fitted[fold]!
      const x = naturalLog(activity / meanActivity)
      const chances = items.features.map((y) => {
        const z = beta[0]! + beta[1]! * x + beta[2]! * y + beta[3]! * x * y
        return 1 / (1 + exp(-z))
      })
      const total = chances.reduce((sum, chance, place) => sum + chance * items.size[place]!, 0)
      return { fold, propensity: chances.map((chance) => chance / total) }
    }),
    classes: fitted.map(({ items }) => items),
  }
}

function refuse(log: Log, folds: number): void {
  const remedy = advice`Choose ${set('propensity', 'popularity')}, uniform or constant:P.`
  if (log.itemIds.length < 2)
    throw badOption(
      'The log has only one item: what makes an item likely to be shown cannot be estimated.',
      remedy,
    )
  if (folds < 3)
    throw badOption(`Logistic propensities need at least three users; the log has ${folds}.`, remedy)
}

const EXACT_TO = 32
const STEP = 0.05

/** Counts up to 32 as they are, larger ones in steps of 5 %, so that a grid has few cells however large it is. */
const rounded = (count: number): number =>
  count === 0 || (count <= EXACT_TO && Number.isInteger(count))
    ? count
    : exp(Math.round(naturalLog(count) / STEP) * STEP)

/** Users of one fold with similar activity. */
interface ActiveGroup {
  readonly fold: number
  /** Impressions per user, rounded. */
  readonly activity: number
  users: number
  /** Impressions of all of them, exact. */
  impressions: number
}

interface ActiveUsers {
  readonly groupOf: Uint32Array
  readonly groups: readonly ActiveGroup[]
}

function activeUsers(log: Log, foldOf: Uint8Array): ActiveUsers {
  const impressions = new Float64Array(log.userIds.length)
  for (let row = 0; row < log.rows; row++) impressions[log.user[row]!]! += log.weight ? log.weight[row]! : 1
  const places = new Map<string, number>()
  const groups: ActiveGroup[] = []
  const groupOf = new Uint32Array(log.userIds.length)
  for (let user = 0; user < impressions.length; user++) {
    if (impressions[user] === 0) continue
    const [fold, activity] = [foldOf[user]!, rounded(impressions[user]!)]
    const key = `${fold} ${activity}`
    const place = places.get(key) ?? groups.push({ fold, activity, users: 0, impressions: 0 }) - 1
    places.set(key, place)
    groupOf[user] = place
    groups[place]!.users++
    groups[place]!.impressions += impressions[user]!
  }
  return { groupOf, groups }
}

function meanActivityOf(groups: readonly ActiveGroup[]): number {
  const sum = (of: 'users' | 'impressions'): number => groups.reduce((total, group) => total + group[of], 0)
  return sum('impressions') / sum('users')
}

/** Items in classes of similar activity. */
interface ActiveItems extends ItemClasses {
  /** Impressions of an item of each class, rounded. */
  readonly counts: Float64Array
  /** x_a of each class. */
  readonly features: Float64Array
}

function activeItems(folds: readonly Float64Array[]): ActiveItems {
  const counts = folds[0]!.map((_, item) => folds.reduce((sum, fold) => sum + fold[item]!, 0))
  const total = counts.reduce((sum, count) => sum + count, 0)
  const items = counts.length
  const classes = classesByCount(counts.map(rounded))
  const features = classes.counts.map((count) => naturalLog((items * (count + 0.5)) / (total + items / 2)))
  return { ...classes, features }
}

/**
 * For each cell of users and items with similar activity: how many trials there were, impressions times items, and
 * how many showed the item. `itemsFor` holds the classes that the users of each fold see; users of a fold without
 * any are left out.
 */
function gridOf(
  log: Log,
  { groups, groupOf }: ActiveUsers,
  itemsFor: readonly (ActiveItems | undefined)[],
  meanActivity: number,
): GroupedTrials {
  const first = new Uint32Array(groups.length + 1)
  groups.forEach(({ fold }, k) => (first[k + 1] = first[k]! + (itemsFor[fold]?.size.length ?? 0)))
  const cells = first[groups.length]!
  const design = new Float64Array(4 * cells)
  const trials = new Float64Array(cells)
  const successes = new Float64Array(cells)
  groups.forEach(({ fold, activity, impressions }, k) => {
    const x = naturalLog(activity / meanActivity)
    itemsFor[fold]?.features.forEach((y, place) => {
      design.set([1, x, y, x * y], 4 * (first[k]! + place))
      trials[first[k]! + place] = impressions * itemsFor[fold]!.size[place]!
    })
  })
  for (let row = 0; row < log.rows; row++) {
    const group = groupOf[log.user[row]!]!
    const items = itemsFor[groups[group]!.fold]
    if (items) successes[first[group]! + items.classOf[log.item[row]!]!]! += log.weight ? log.weight[row]! : 1
  }
  return { features: 4, design, trials, successes }
}

/** Grouped data for a logistic regression: cell c has `trials[c]` trials, all with the same features. */
interface GroupedTrials {
  readonly features: number
  /** The features of cell 0, then those of cell 1, … */
  readonly design: Float64Array
  readonly trials: Float64Array
  readonly successes: Float64Array
}

const MOST_STEPS = 100
const TOLERANCE = 1e-10

/**
 * Coefficients β of P(success) = 1/(1 + e^(−xβ)) by maximum likelihood, using Newton's method with steps
 * halved until the likelihood increases (McCullagh & Nelder 1989, §4.4). A feature that is a linear
 * combination of earlier ones gets coefficient 0, as a constant one does next to an intercept.
 */
export function logisticRegression(data: GroupedTrials): Float64Array {
  const { features } = data
  let coefficients: Float64Array = new Float64Array(features)
  let likelihood = logLikelihood(data, coefficients)
  for (let step = 0; step < MOST_STEPS; step++) {
    const direction = newtonStep(data, coefficients)
    let length = 1
    let next = coefficients
    let reached = likelihood
    do {
      next = coefficients.map((value, k) => value + length * direction[k]!)
      reached = logLikelihood(data, next)
      length /= 2
    } while (!(reached >= likelihood) && length > 1e-6)
    if (!(reached - likelihood > TOLERANCE * (1 + Math.abs(likelihood))))
      return reached >= likelihood ? next : coefficients
    coefficients = next
    likelihood = reached
  }
  throw badOption(
    `The logistic regression did not converge in ${MOST_STEPS} steps.`,
    advice`Choose ${set('propensity', 'popularity')}.`,
  )
}

/** x·β of a cell. */
function logOdds({ features, design }: GroupedTrials, cell: number, coefficients: Float64Array): number {
  let sum = 0
  for (let k = 0; k < features; k++) sum += design[cell * features + k]! * coefficients[k]!
  return sum
}

/** Σ successes · x·β − trials · ln(1 + e^(x·β)). */
function logLikelihood(data: GroupedTrials, coefficients: Float64Array): number {
  let sum = 0
  for (let cell = 0; cell < data.trials.length; cell++) {
    const odds = logOdds(data, cell, coefficients)
    sum += data.successes[cell]! * odds - data.trials[cell]! * softplus(odds)
  }
  return sum
}

/** (Xᵀ W X)⁻¹ Xᵀ (successes − trials · p) with W = trials · p (1 − p). */
function newtonStep(data: GroupedTrials, coefficients: Float64Array): Float64Array {
  const { features, design, trials, successes } = data
  const information = new Float64Array(features * features)
  const gradient = new Float64Array(features)
  for (let cell = 0; cell < trials.length; cell++) {
    const p = 1 / (1 + exp(-logOdds(data, cell, coefficients)))
    const residual = successes[cell]! - trials[cell]! * p
    const weight = trials[cell]! * p * (1 - p)
    for (let j = 0; j < features; j++) {
      const x = design[cell * features + j]!
      gradient[j]! += residual * x
      for (let k = 0; k <= j; k++) information[j * features + k]! += weight * x * design[cell * features + k]!
    }
  }
  return solve(information, gradient)
}

/** A pivot this small relative to its diagonal is rounding: the feature depends on those before it. */
const ALIASED = 1e-10

/** Solves A x = y by Cholesky's method, A given by its lower triangle; x is 0 where A is singular. */
function solve(matrix: Float64Array, right: Float64Array): Float64Array {
  const n = right.length
  const lower = new Float64Array(n * n)
  const kept = new Uint8Array(n)
  for (let j = 0; j < n; j++) {
    let pivot = matrix[j * n + j]!
    for (let k = 0; k < j; k++) pivot -= lower[j * n + k]! ** 2
    if (!(pivot > ALIASED * matrix[j * n + j]!)) continue
    kept[j] = 1
    lower[j * n + j] = Math.sqrt(pivot)
    for (let i = j + 1; i < n; i++) {
      let sum = matrix[i * n + j]!
      for (let k = 0; k < j; k++) sum -= lower[i * n + k]! * lower[j * n + k]!
      lower[i * n + j] = sum / lower[j * n + j]!
    }
  }
  const solution = new Float64Array(n)
  for (let j = 0; j < n; j++) {
    if (!kept[j]) continue
    let sum = right[j]!
    for (let k = 0; k < j; k++) sum -= lower[j * n + k]! * solution[k]!
    solution[j] = sum / lower[j * n + j]!
  }
  for (let j = n - 1; j >= 0; j--) {
    if (!kept[j]) continue
    let sum = solution[j]!
    for (let i = j + 1; i < n; i++) sum -= lower[i * n + j]! * solution[i]!
    solution[j] = sum / lower[j * n + j]!
  }
  return solution
}
