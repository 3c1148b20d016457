import { areWholeNumbers } from './ids.js'
import type { Log } from './log.js'

/** A further column of a log, kept as text: device, country, segment. */
export interface Labels {
  /** The label of each row, as an index into `ids`. */
  readonly index: Uint32Array
  /** The labels that occur, in the order of `orderOfIds`; `NO_LABEL` is that of rows whose cell is empty. */
  readonly ids: readonly string[]
}

/** The label of a row whose cell is empty: a group of its own, for a row without a device is still an impression. */
export const NO_LABEL = ''

/** The log with labels that are fractions kept as numbers, as which they are written; whole numbers may be ids. */
export function withNumbers(log: Log): Log {
  const { labels = {}, numbers = {} } = log
  const isFractions = ({ ids }: Labels): boolean =>
    !areWholeNumbers(ids) && ids.every((id) => id !== NO_LABEL && String(Number(id)) === id)
  const [fractions, others] = [true, false].map((wanted) =>
    Object.entries(labels).filter(([, label]) => isFractions(label) === wanted),
  ) as [[string, Labels][], [string, Labels][]]
  const asNumbers = ({ index, ids }: Labels): Float64Array => {
    const values = ids.map(Number)
    return Float64Array.from(index, (place) => values[place]!)
  }
  return {
    ...log,
    labels: Object.fromEntries(others),
    numbers: {
      ...numbers,
      ...Object.fromEntries(fractions.map(([name, label]) => [name, asNumbers(label)])),
    },
  }
}
