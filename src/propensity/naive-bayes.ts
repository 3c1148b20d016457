import { advice, set } from '../advice.js'
import { badOption, HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import { counted } from '../number-text.js'
import { BinSums, calibrationOf } from './calibration.js'
import type { Calibration, Estimation } from './stand-in.js'
import { rowsByUser } from '../log/row-groups.js'
import type { UserFolds } from './user-folds.js'

const MOST_LEVELS = 20

/**
 * Naive Bayes with a slice of uniformly random impressions (Marlin & Zemel 2009; Schnabel et al. 2016): a reward r
 * that is more common in the log than in the slice was favoured.
 *   b(r) = P(one draw shows the item | its reward is r) = P(r | shown) / (K · P(r))
 * with P(r | shown) from the log, P(r) from the slice and K items: Bayes' rule with P(shown) = 1/K for one draw.
 * It is the mean of b(a|u) over the pairs whose reward is r, and K Σ_r P(r) b(r) = 1.
 *
 * Cross-fitted: rows of a user's fold are left out of P(r | shown), and of the slice if it has these users.
 */
export function naiveBayes(log: Log, { count, foldOf }: UserFolds, slice: Log): Estimation {
  const levels = [...new Set(log.reward)].toSorted((a, b) => a - b)
  refuse(levels, slice)
  const placeOf = new Map(levels.map((level, place) => [level, place]))
  const levelOf = Uint32Array.from(log.reward, (reward) => placeOf.get(reward)!)
  // Rewards of the slice that the log does not have count too, after all others.
  const sliceLevelOf = Uint32Array.from(slice.reward, (reward) => placeOf.get(reward) ?? levels.length)
  const items = log.catalogueKnown ? log.itemIds.length : new Set([...log.itemIds, ...slice.itemIds]).size

  const shown = Array.from({ length: count }, () => new Float64Array(levels.length))
  for (let row = 0; row < log.rows; row++)
    shown[foldOf[log.user[row]!]!]![levelOf[row]!]! += log.weight ? log.weight[row]! : 1
  // Users of the slice who are not in the log belong to no fold: all models may learn from them.
  const random = Array.from({ length: count + 1 }, () => new Float64Array(levels.length + 1))
  const userOf = new Map(log.userIds.map((id, user) => [id, user]))
  const sliceFoldOf = slice.userIds.map((id) => {
    const user = userOf.get(id)
    return user === undefined ? count : foldOf[user]!
  })
  for (let row = 0; row < slice.rows; row++)
    random[sliceFoldOf[slice.user[row]!]!]![sliceLevelOf[row]!]! += slice.weight ? slice.weight[row]! : 1

  const byFold = shown.map((_, fold) => {
    const inLog = sharesOf(shown.filter((_, other) => other !== fold))
    const inSlice = sharesOf(random.filter((_, other) => other !== fold))
    return levels.map((level, place) => {
      if (!(inSlice[place]! > 0)) throw withoutLevel(level)
      return inLog[place]! / (items * inSlice[place]!)
    })
  })
  const propensity = new Float64Array(log.rows)
  for (let row = 0; row < log.rows; row++) propensity[row] = byFold[foldOf[log.user[row]!]!]![levelOf[row]!]!
  const inSlice = sharesOf(random)
  const parameters: Record<string, number> = { items, sliceRows: slice.rows }
  levels.forEach((level, place) => {
    parameters[`propensity of reward ${level}`] = byFold.reduce((sum, b) => sum + b[place]! / count, 0)
    parameters[`share of reward ${level} in the slice`] = inSlice[place]!
  })
  const fitted = { levels, levelOf, sliceLevelOf, items, byFold }
  return { propensity, parameters, calibration: calibrate(log, { count, foldOf }, slice, fitted) }
}

function refuse(levels: readonly number[], slice: Log): void {
  if (levels.length < 2)
    throw badOption(
      `Every reward of the log is ${levels[0]}, so rewards say nothing about what was shown.`,
      advice`Choose ${set('propensity', 'popularity')} or logistic.`,
    )
  if (levels.length > MOST_LEVELS)
    throw badOption(
      `The log has ${counted(levels.length, 'different reward')}; naive Bayes allows at most ${MOST_LEVELS}, each seen often.`,
      advice`Merge rewards with ${set('clickFrom', 'N')}, or choose another ${set('propensity')}.`,
    )
  const inSlice = new Set(slice.reward)
  for (const level of levels) if (!inSlice.has(level)) throw withoutLevel(level)
}

const withoutLevel = (level: number): HindcastError =>
  badOption(
    `The random slice has too few rows with the reward ${level}, which occurs in the log: how common it is cannot be estimated.`,
    advice`Provide a larger slice in which every reward occurs for several users, or merge rewards with ${set('clickFrom', 'N')}.`,
  )

function sharesOf(folds: readonly Float64Array[]): Float64Array {
  const sums = folds[0]!.map((_, place) => folds.reduce((sum, fold) => sum + fold[place]!, 0))
  const total = sums.reduce((sum, value) => sum + value, 0)
  return sums.map((value) => value / total)
}

interface Fitted {
  readonly levels: readonly number[]
  readonly levelOf: Uint32Array
  readonly sliceLevelOf: Uint32Array
  readonly items: number
  /** b for each reward, for the users of each fold. */
  readonly byFold: readonly (readonly number[])[]
}

/**
 * Each reward twice: for the items that other users were shown most, which received half of their impressions,
 * and for the rest. m impressions of a user are m · K_H · P(r | H) trials, one for each item of the half H that
 * has the reward, P(r | H) from the slice. Two halves, because over all items together the shares of other users
 * would always look right; separately, they show whether the reward alone decides.
 */
function calibrate(log: Log, { count, foldOf }: UserFolds, slice: Log, fitted: Fitted): Calibration {
  const { levels, levelOf, items, byFold } = fitted
  const halves = Array.from({ length: count }, (_, fold) => {
    const isOften = oftenShown(log, (user) => foldOf[user] !== fold)
    return { isOften, ...sliceByHalf(log, slice, isOften, fitted) }
  })
  const bins = Array.from({ length: 2 * levels.length }, () => new BinSums())
  const { rows, start } = rowsByUser(log)
  const seen = new Float64Array(bins.length)
  for (let user = 0; user < log.userIds.length; user++) {
    if (start[user] === start[user + 1]) continue
    const { isOften, share, often } = halves[foldOf[user]!]!
    let impressions = 0
    seen.fill(0)
    for (let k = start[user]!; k < start[user + 1]!; k++) {
      const [row, weight] = [rows[k]!, log.weight ? log.weight[rows[k]!]! : 1]
      impressions += weight
      seen[2 * levelOf[row]! + isOften[log.item[row]!]!]! += weight
    }
    bins.forEach((sums, bin) => {
      const trials = impressions * (bin % 2 === 1 ? often : items - often) * share[bin]!
      sums.addUser(seen[bin]!, trials, trials * byFold[foldOf[user]!]![bin >> 1]!, seen[bin]!)
    })
  }
  return calibrationOf(
    bins.map((sums, bin) => {
      const mean = (of: 'share' | 'rows'): number =>
        halves.reduce((sum, half) => sum + half[of][bin]! / count, 0)
      const expected = sums.expected + bins[bin ^ 1]!.expected
      return {
        sums,
        // How often a reward was shown overall was fitted: only the half varies.
        leftVariance: 1 - sums.expected / expected,
        label: `reward ${levels[bin >> 1]}`,
        part: bin % 2 === 1 ? 'items shown often' : 'items shown seldom',
        relativeVariance: (1 - mean('share')) / Math.max(1, mean('rows')),
      }
    }),
  )
}

/** 1 for the most-shown items, which received half of the impressions of the users for whom `which` holds. */
function oftenShown(log: Log, which: (user: number) => boolean): Uint8Array {
  const impressions = new Float64Array(log.itemIds.length)
  let left = 0
  for (let row = 0; row < log.rows; row++) {
    if (!which(log.user[row]!)) continue
    const weight = log.weight ? log.weight[row]! : 1
    impressions[log.item[row]!]! += weight
    left += weight / 2
  }
  const isOften = new Uint8Array(impressions.length)
  for (const item of Uint32Array.from(impressions.keys()).sort(
    (a, b) => impressions[b]! - impressions[a]! || a - b,
  )) {
    if (left <= 0) break
    left -= impressions[item]!
    isOften[item] = 1
  }
  return isOften
}

/** For each bin, the share of its reward among the slice's rows for its half of the items, and how many rows have it. */
function sliceByHalf(
  log: Log,
  slice: Log,
  isOften: Uint8Array,
  { levels, sliceLevelOf }: Fitted,
): { share: Float64Array; rows: Float64Array; often: number } {
  const itemOf = new Map(log.itemIds.map((id, item) => [id, item]))
  const halfOf = slice.itemIds.map((id) => {
    const item = itemOf.get(id)
    return item === undefined ? 0 : isOften[item]!
  })
  const share = new Float64Array(2 * levels.length)
  const rows = new Float64Array(2 * levels.length)
  const total = [0, 0]
  for (let row = 0; row < slice.rows; row++) {
    const half = halfOf[slice.item[row]!]!
    const weight = slice.weight ? slice.weight[row]! : 1
    total[half]! += weight
    if (sliceLevelOf[row] === levels.length) continue
    share[2 * sliceLevelOf[row]! + half]! += weight
    rows[2 * sliceLevelOf[row]! + half]!++
  }
  share.forEach((sum, bin) => (share[bin] = sum === 0 ? 0 : sum / total[bin % 2]!))
  const often = isOften.reduce((sum, value) => sum + value, 0)
  return { share, rows, often }
}
