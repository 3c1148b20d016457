import type { Format } from './format.js'

/**
 * Open Bandit Dataset (Saito et al. 2020), `{policy}/{campaign}/{campaign}.csv` or that folder. It has no user ids:
 * impressions that agree in the four user features are treated as one user. All items are listed in
 * `item_context.csv` next to the log.
 */
export const obd: Format = {
  name: 'obd',
  label: 'Open Bandit Dataset',
  family: 'table',
  docs: 'formats.md#obd',
  meaning: 'Open Bandit Dataset CSV; the four user features together identify the user.',
  columns: {
    user: { joined: ['user_feature_0', 'user_feature_1', 'user_feature_2', 'user_feature_3'] },
    item: 'item_id',
    reward: 'click',
    propensity: { anyOf: ['propensity_score', 'action_prob'] },
    position: 'position',
    time: 'timestamp',
  },
  files: ['all.csv', 'men.csv', 'women.csv'],
  catalogue: { file: 'item_context.csv', column: 'item_id' },
}
