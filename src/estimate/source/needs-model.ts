import { columnsOf } from '../../sql/expression.js'
import type { Term } from '../term.js'

/** Whether some of the terms are made of predictions of the reward. */
export const needsModel = (terms: readonly Term[]): boolean =>
  terms.some(({ expression }) => {
    const columns = columnsOf(expression)
    return columns.has('q') || columns.has('v') || columns.has('h')
  })
