import { advice, set } from '../advice.js'
import type { Log } from '../log/log.js'
import { formatCount } from '../number-text.js'
import type { Check, Finding } from './finding.js'
import { type PairSums, repeatPairs } from './repeat-pairs.js'
import { soundPropensity } from './sound-propensity.js'
import { percent } from './wording.js'

/** Standard errors that chance does not reach in a thousand sound logs, and that all pairs, rare items included, must show. */
const BEYOND = 3.5
const PLAIN_BEYOND = 2
/** As many users as it takes to know a standard error. */
const USERS = 30
/** Less than this changes no answer: of what is expected, and of the clicks. */
const LEAST_EXCESS = 0.05
const LEAST_COPIED = 0.02

const AVERAGED = 'shown-again-too-often'

/**
 * Finds users who are shown the same items again more often than propensities allow: rows of clicks that were sent
 * twice, or propensities that were averaged over users who are shown different things.
 */
export const checkShownAgain: Check = ({ log }) => {
  const propensity = log.weight ? undefined : soundPropensity(log)
  if (!propensity) return []
  const { all, clicked, unclicked } = repeatPairs(log, propensity)
  const clicks = log.reward.reduce((count, reward) => count + (reward > 0 ? 1 : 0), 0)
  const copied = excessOf(clicked) / clicks
  const areClicksAgain = isBeyondChance(clicked) && copied > LEAST_COPIED
  if (areClicksAgain && !isShared(unclicked, clicked)) return [clicksSentTwice(log, clicked, copied)]
  if (isBeyondChance(all) && excessOf(all) > LEAST_EXCESS * all.expected) return [averaged(all)]
  return areClicksAgain ? [averaged(clicked)] : []
}

/** Findings without one of repeats that another problem of the propensities explains. */
export const withoutEchoes = (findings: readonly Finding[]): Finding[] =>
  findings.filter(
    ({ code }) =>
      code !== AVERAGED ||
      !findings.some(
        (other) => other.column === 'propensity' && other.level === 'problem' && other.code !== AVERAGED,
      ),
  )

const excessOf = ({ seen, expected }: PairSums): number => seen - expected

const isBeyondChance = ({ z, plainZ, users }: PairSums): boolean =>
  users >= USERS && z > BEYOND && plainZ > PLAIN_BEYOND

/** Whether rows without a click come again too, a third as much as those with one. */
const isShared = (unclicked: PairSums, clicked: PairSums): boolean =>
  unclicked.z > PLAIN_BEYOND &&
  3 * excessOf(unclicked) * clicked.expected > excessOf(clicked) * unclicked.expected

function clicksSentTwice(log: Log, { seen, expected, z }: PairSums, copied: number): Finding {
  return {
    code: 'clicks-sent-twice',
    level: 'problem',
    lowersTo: 'caution',
    seen: `After a click, users are shown the same item again ${rounded(seen / expected)} times as often as its propensities allow; after rows without a click they are not. About ${percent(copied)} of the clicks seem to be recorded twice.`,
    why: 'Rows with a click that are sent again count as further clicks: every estimate comes out too high.',
    remedy: advice`Look for events that are sent again when an answer is slow, and keep one row per impression. An id of the impression, or a column of times chosen with ${set('columns', 'time=NAME')}, shows which rows are copies.`,
    numbers: { seen, expected, ratio: seen / expected, copied, standardErrors: z },
    rows: clickedAgain(log),
  }
}

function averaged({ seen, expected, z, pairs }: PairSums): Finding {
  return {
    code: AVERAGED,
    level: 'problem',
    lowersTo: 'caution',
    column: 'propensity',
    seen: `Users are shown the same items again ${rounded(seen / expected)} times as often as their propensities allow (${formatCount(pairs)} pairs of rows, ${rounded(z)} standard errors above 1).`,
    why: 'Propensities seem to be averages over users, or over a user’s contexts, that are shown different things; or rows were written twice. Weights made from them leave a bias that no interval includes.',
    remedy:
      'Log the probability with which the item was drawn for this user at this moment, with all that the logger knew. If one draw is shown several times, log it once. If rows are copies, keep one of each.',
    numbers: { pairs, seen, expected, ratio: seen / expected, standardErrors: z },
    rows: [],
  }
}

/** To two digits, as much as such a ratio is known. */
const rounded = (value: number): string => String(Number(value.toPrecision(2)))

/** The first five rows with a click on an item that the same user clicked before. */
function clickedAgain({ rows, user, item, reward, itemIds }: Log): number[] {
  const before = new Set<number>()
  const found: number[] = []
  for (let row = 0; row < rows && found.length < 5; row++) {
    if (!(reward[row]! > 0)) continue
    const pair = user[row]! * itemIds.length + item[row]!
    if (before.has(pair)) found.push(row)
    before.add(pair)
  }
  return found
}
