import type { Format } from './format.js'

/** KuaiRand (Gao et al. 2022), `log_*.csv`: short-video impressions; it has no propensities. */
export const kuairand: Format = {
  name: 'kuairand',
  label: 'KuaiRand',
  family: 'table',
  docs: 'formats.md#kuairand',
  meaning:
    'KuaiRand log CSV: user_id, video_id, is_click, time_ms; propensities must be chosen (uniform for log_random).',
  columns: { user: 'user_id', item: 'video_id', reward: 'is_click', time: 'time_ms' },
}
