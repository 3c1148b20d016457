import type { CompareOptions } from './compare.js'
import type { EvaluateOptions } from './evaluate.js'

/** What an evaluation takes where nothing else is chosen. */
export const EVALUATE_DEFAULTS = {
  estimators: ['dm', 'ips', 'snips', 'dr'],
  cluster: 'user',
  confidence: 0.95,
  interval: 'auto',
  bootstrap: 50,
  seed: 0,
} as const satisfies Partial<EvaluateOptions>

/** What a comparison takes besides, where nothing else is chosen. */
export const COMPARE_DEFAULTS = { estimator: 'snips' } as const satisfies Partial<CompareOptions>
