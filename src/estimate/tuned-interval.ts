import type { PlainEstimate } from './evaluation.js'

/** Whether the λ of an estimate was chosen from the data. */
export const isTunedByData = ({ lambda }: Pick<PlainEstimate, 'lambda'>): boolean =>
  lambda !== undefined && lambda.chosenBy !== 'user'

/** Why a refused answer has no interval around a tuned λ: it would look sure of itself. */
export const NO_TUNED_INTERVAL =
  'the log gives no answer about this target, and an interval around a tuned λ would hide that'
