import type { Graph } from '../graph/graph.js'
import type { Split } from '../log/split.js'
import type { Judge } from './judge.js'
import type { Training } from './training.js'

/** What a training says about its log and the parts it was divided into. */
export const loggedParts = (
  { train, validation, test }: Split,
  graph: Graph,
  judge: Pick<Judge, 'validationClicks' | 'testClicks'>,
): Training['log'] => ({
  rows: train.rows + validation.rows + test.rows,
  users: train.userIds.length,
  items: train.itemIds.length,
  propensitySource: train.propensitySource,
  trainClicks: graph.edges,
  validationClicks: judge.validationClicks,
  testClicks: judge.testClicks,
})
