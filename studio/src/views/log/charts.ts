/** The charts of a log, shown one at a time. */
export const CHARTS = [
  { name: 'exposure', label: 'Exposure', ranks: 'items' },
  { name: 'click-rate', label: 'Clicks', ranks: 'items' },
  { name: 'users', label: 'Users', ranks: 'users' },
  { name: 'propensities', label: 'Propensities', ranks: 'items' },
  { name: 'calibration', label: 'Calibration', ranks: undefined },
] as const
export type ChartName = (typeof CHARTS)[number]['name']
