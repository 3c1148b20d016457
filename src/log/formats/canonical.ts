import { CANONICAL_NAMES } from '../columns.js'
import type { Format } from './format.js'

/** Hindcast's own layout: `user_id, item_id, reward, propensity`, and optionally more. */
export const canonical: Format = {
  name: 'canonical',
  label: 'Hindcast',
  family: 'table',
  docs: 'formats.md#canonical',
  meaning:
    'user_id, item_id, reward, propensity [, target_prob, slate_id, position, timestamp, cluster, weight, q, v].',
  columns: CANONICAL_NAMES,
}
