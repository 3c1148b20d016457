import { badOption } from '../error.js'
import { distributionOf, policyOf } from './distribution.js'
import { perContext } from './per-context.js'
import type { Policy } from './policy.js'
import { checkedProbabilities } from './probabilities.js'

/**
 * The policy with given probabilities: one per item, the same for every user, or one row of them per
 * user. Each row must be non-negative and sum to one within 1e-9; it is divided by its sum if that
 * is off by more than rounding. All rows are checked at once; the table must not change afterwards.
 */
export function tablePolicy(name: string, table: ArrayLike<number> | readonly ArrayLike<number>[]): Policy {
  if (isRow(table)) {
    const distribution = distributionOf(checkedProbabilities(`Policy ${name}`, table))
    return policyOf(name, table.length, () => distribution)
  }
  const items = table[0]!.length
  const rowOf = (user: number): Float64Array => {
    const row = table[user]
    if (row === undefined)
      throw badOption(
        `Policy ${name} has no row for user ${user}.`,
        `The table needs one row per user; it has ${table.length}.`,
      )
    if (row.length !== items)
      throw badOption(
        `Policy ${name}, user ${user}: ${row.length} probabilities for ${items} items.`,
        'Give every user one probability per item.',
      )
    return checkedProbabilities(`Policy ${name}, user ${user}`, row)
  }
  for (let user = 0; user < table.length; user++) rowOf(user)
  return policyOf(
    name,
    items,
    perContext((user) => distributionOf(rowOf(user))),
  )
}

const isRow = (table: ArrayLike<number> | readonly ArrayLike<number>[]): table is ArrayLike<number> =>
  table.length === 0 || typeof table[0] === 'number'
