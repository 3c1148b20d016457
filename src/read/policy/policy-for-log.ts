import { HindcastError } from '../../error.js'
import { policyOverContexts } from '../../log/contexts.js'
import type { Log } from '../../log/log.js'
import { countRows } from '../../log/row-groups.js'
import { type Distribution, distributionOf, perContext } from '../../policy/distribution.js'
import { originOn, type PartOf } from '../../log/stamp.js'
import { familyOf, sortedBy, withOrigin } from '../../policy/ruled-policy.js'
import type { Policy } from '../../policy/policy.js'
import { isSorted } from '../../policy/score-rule.js'
import type { Standing } from '../../policy/sorted-pages.js'
import { CompensatedSum } from '../../sum.js'
import { notesOnMatch } from './match-notes.js'
import { dividedBy, type PolicyFile, policyName, type PolicyValues, sumsOf } from './policy-file.js'
import { type MatchedUsers, matchOf, type MissingUser, type PolicyMatch } from './policy-match.js'

/** How a policy in a file is made to fit a log. */
export interface PolicyForLogOptions {
  /** What results call the file (default: its name); the rule of scores is added. */
  readonly name?: string
  /** What users of the log that the file does not have are shown (default `error`). */
  readonly missingUser?: MissingUser
  /** Of which parts the log is one, where it was split. */
  readonly part?: PartOf | undefined
}

/** A policy for the users and items of a log, and what is worth knowing about it, one sentence each. */
export interface PolicyForLog {
  readonly policy: Policy
  readonly notes: readonly string[]
}

/** A user of the log that the file does not have. */
const NOBODY = -1

/**
 * The policy of a file for the users and items of a log, matched by their ids as text. Items that the file does not list for
 * a user have probability 0; the probability of items that the log does not have is the policy's `outside`. Sums off by
 * rounding (`roundingGap`) are divided by; users and items beyond the log are left out with a count.
 */
export function policyForLog(
  file: PolicyFile,
  log: Log,
  { name = file.name, missingUser = 'error', part }: PolicyForLogOptions = {},
): PolicyForLog {
  const rowOf = rowsOfUsers(file, log)
  const placeOf = placesIn(file.itemIds, log.itemIds)
  const sums = file.kind === 'probability' ? sumsOf(file) : undefined
  const match = matchOf(file, { ...usersOf(file, log, rowOf), sums, placeOf, items: log.itemIds.length })
  const notes = notesOnMatch(file, match, missingUser)
  const fitted = { log, rowOf, placeOf, sums, missingUser, match }
  const { ruled } = file
  const policy = ruled
    ? familyOf((rule) => fittedPolicy(name, ruled.by(rule), fitted)).by(ruled.rule)
    : fittedPolicy(name, file, fitted)
  const overContexts = policyOverContexts(policy, log)
  return {
    policy: file.made ? withOrigin(overContexts, originOn(log, file.made, part)) : overContexts,
    notes,
  }
}

/** A log, and how the users and items of a file fit it, whatever the temperature of its scores. */
interface Fitted {
  readonly log: Log
  readonly rowOf: Int32Array
  readonly placeOf: Int32Array
  readonly sums: Float64Array | undefined
  readonly missingUser: MissingUser
  readonly match: PolicyMatch
}

function fittedPolicy(named: string, file: PolicyFile, fitted: Fitted): Policy {
  const { log, rowOf, placeOf, sums, missingUser, match } = fitted
  const name = policyName(named, file)
  const items = log.itemIds.length
  const spread = (row: number): Spread => {
    const values = dividedBy(file.values(row), sums?.[row] ?? 1)
    return spreadOver(items, placeOf, file.items(row), values)
  }
  const evenly = { ...distributionOf(new Float64Array(items).fill(1 / items)), outside: 0 }
  const isMissing = (user: number): boolean => rowOf[user] === NOBODY
  const common = file.userIds ? undefined : spread(0)
  const of = perContext((user: number): Spread => {
    if (common) return common
    if (!isMissing(user)) return spread(rowOf[user]!)
    if (missingUser === 'uniform') return evenly
    throw new HindcastError(
      'bad-option',
      `${file.name} does not have user ${JSON.stringify(log.userIds[user])}.`,
      {
        remedy: 'Ask for the users that it has.',
      },
    )
  })
  return {
    name,
    items,
    probabilities: (user) => of(user).probabilities,
    ...(match.itemsBeyond > 0 && { outside: (user: number) => of(user).outside }),
    sample: (user, random, count) => {
      if (of(user).outside === 0) return of(user).sample(random, count)
      throw new HindcastError(
        'bad-option',
        `The policy ${name} shows items that the log does not have, so nothing can be drawn from it.`,
        {
          remedy: 'Build it for a log whose catalogue has all of its items.',
        },
      )
    },
    ...(common && { groupOf: () => 0 }),
    ...sortedFor(file, fitted),
    ...(match.missing > 0 && missingUser === 'logging' && { followsLogging: isMissing }),
  }
}

/** How a file of scores fills pages, by a rule that sorts: where the items of the log stand among all of the file. */
function sortedFor(
  { ruled, items: itemsOf }: PolicyFile,
  { log, rowOf, placeOf }: Fitted,
): Pick<Policy, 'sorted'> {
  if (!ruled?.standing || !isSorted(ruled.rule)) return {}
  const of = perContext((row: number): Standing => {
    const { better, tied, candidates } = ruled.standing!(row)
    const items = itemsOf(row)
    const own = { better: new Uint32Array(log.itemIds.length), tied: new Uint32Array(log.itemIds.length) }
    for (let k = 0; k < better.length; k++) {
      const place = placeOf[items ? items[k]! : k]!
      if (place < 0) continue
      own.better[place] = better[k]!
      own.tied[place] = tied[k]!
    }
    return { ...own, candidates }
  })
  return {
    sorted: sortedBy(ruled.rule, (user) => (rowOf[user] === NOBODY ? undefined : of(rowOf[user]!))),
  }
}

/** Probabilities over the items of the log, and the rest. */
interface Spread extends Distribution {
  readonly outside: number
}

function spreadOver(
  items: number,
  placeOf: Int32Array,
  listed: Uint32Array | undefined,
  values: PolicyValues,
): Spread {
  const probabilities = new Float64Array(items)
  const outside = new CompensatedSum()
  for (let k = 0; k < values.length; k++) {
    const place = placeOf[listed ? listed[k]! : k]!
    if (place >= 0) probabilities[place] = values[k]!
    else outside.add(values[k]!)
  }
  return { ...distributionOf(probabilities), outside: outside.value }
}

/** The row of each user of the log. */
function rowsOfUsers({ userIds }: PolicyFile, log: Log): Int32Array {
  if (!userIds) return new Int32Array(log.userIds.length)
  return placesIn(log.userIds, userIds)
}

/** The place of each id among others; −1 if it is not there. */
function placesIn(ids: readonly string[], others: readonly string[]): Int32Array {
  const places = new Map(others.map((id, place) => [id, place]))
  return Int32Array.from(ids, (id) => places.get(id) ?? -1)
}

/** Only users who have rows count: a log may list others. */
function usersOf({ userIds }: PolicyFile, log: Log, rowOf: Int32Array): MatchedUsers {
  const occurs = countRows(log.user, log.userIds.length)
  const users = Uint32Array.from(occurs.keys()).filter((user) => occurs[user]! > 0)
  const missing = users.filter((user) => rowOf[user] === NOBODY)
  const matched = users.filter((user) => rowOf[user] !== NOBODY)
  return {
    logUsers: users.length,
    missing: missing.length,
    firstMissing: Array.from(missing.subarray(0, 3), (user) => log.userIds[user]!),
    rows: userIds ? Array.from(matched, (user) => rowOf[user]!) : [0],
  }
}
