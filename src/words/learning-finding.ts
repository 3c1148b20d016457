import { formatCount } from '../number-text.js'
import type { Training } from '../train/training.js'
import { capitalised, measureLabel, measureText } from './training-text.js'

/** Which epoch was best, by which measure, and how good it was. */
export function learningFinding({
  epochs,
  best,
  k,
}: Pick<Training, 'epochs' | 'best'> & { readonly k: number }): string {
  const epoch = formatCount(best.epoch)
  if (best.value === null)
    return `The model of epoch ${epoch} is kept; nothing was measured to choose the best one`
  const measure = capitalised(measureLabel(best.measure, k))
  const value = measureText(best.measure, best.value)
  if (epochs.length === 1) return `${measure} is ${value} after one epoch`
  return `${measure} is best after epoch ${epoch}, at ${value}`
}
