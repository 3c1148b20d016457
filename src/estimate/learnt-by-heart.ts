import { formatShare } from '../number-text.js'
import type { SumSource } from './source/source.js'
import type { Complaint } from './verdict.js'

/**
 * What speaks against a target on the log that it was learnt from: it shows what was clicked there because it was clicked,
 * chance clicks included. Rows that it did not see would earn less, by far more than an interval tells.
 */
export function learntByHeart({ target, learnt }: Pick<SumSource, 'target' | 'learnt'>): Complaint[] {
  if (!learnt) return []
  const { share, isSameLog } = learnt
  const clicks = `${formatShare(share)} of the clicks of this log`
  const remedy = 'Evaluate it on rows it has not seen, such as later days, or users left out before training.'
  return [
    {
      level: isSameLog ? 'refuse' : 'caution',
      code: 'learnt-from-log',
      message: isSameLog
        ? `${target} was trained on ${clicks}, and shows again what was clicked by chance. The estimate is too high, by more than its interval shows. ${remedy}`
        : `${target} knew ${clicks} from training. Unless users clicked the same items again, these are the rows it was trained on, and the estimate is too high. ${remedy}`,
      value: share,
    },
  ]
}
