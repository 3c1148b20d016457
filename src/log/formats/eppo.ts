import type { Format } from './format.js'

/**
 * Bandit assignments of Eppo, as its SDKs log them: one row per action, with the probability it had when it was chosen.
 * Column names are those of its quick start (`action_probability`) or of the SDK's event (`actionProbability`).
 */
export const eppo: Format = {
  name: 'eppo',
  label: 'Eppo',
  family: 'table',
  docs: 'formats.md#eppo',
  meaning: 'Eppo bandit assignments: subject, action, action_probability; the reward must be joined.',
  columns: {
    user: { anyOf: ['subject', 'subjectKey'] },
    item: 'action',
    reward: { anyOf: ['reward', 'outcome'] },
    propensity: { anyOf: ['action_probability', 'actionProbability'] },
    time: 'timestamp',
  },
  exposuresOnly: true,
}
