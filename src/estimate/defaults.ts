/** The defaults of an evaluation. */
export const EVALUATE_DEFAULTS = {
  estimators: ['dm', 'ips', 'snips', 'dr'],
  cluster: 'auto',
  confidence: 0.95,
  interval: 'auto',
  bootstrap: 50,
  tuning: 'paired',
  seed: 0,
} as const

/** The further defaults of a comparison. */
export const COMPARE_DEFAULTS = { estimator: 'snips' } as const

/** The further defaults of a plan. */
export const PLAN_DEFAULTS = { power: 0.8 } as const
