import type { Log } from '../log/log.js'

/** The columns of a log of which targets may be computed, and how many users and items it has. */
interface FitColumns extends Pick<Log, 'user' | 'item' | 'reward'> {
  readonly users: number
  readonly items: number
  readonly propensity: Float64Array
}

/** A log of some columns, for tests of targets that follow its rewards. */
export function exampleFitLog({ users, items, ...columns }: FitColumns): Log {
  const ids = (count: number): string[] => Array.from({ length: count }, (_, k) => `${k}`)
  return {
    ...columns,
    rows: columns.item.length,
    userIds: ids(users),
    itemIds: ids(items),
    catalogueKnown: true,
    propensitySource: 'logged',
  }
}
