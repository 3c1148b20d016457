import type { Estimator } from '../estimator.js'
import { modelValue, one } from '../term.js'

/** Direct method: V = mean of v. Only as accurate as its reward model, and its interval takes the model as true. */
export const dm: Estimator<'dm'> = {
  name: 'dm',
  label: 'DM',
  family: 'model',
  meaning: 'Direct method: what a reward model predicts. Only as accurate as the model.',
  docs: 'estimators/dm.md',
  rows: 'model',
  ratios: [{ numerator: modelValue, denominator: one }],
  takesModelAsTrue: true,
}
