import { evaluateSource } from '../../src/estimate/evaluate-source.js'
import { popularityTargets } from '../../src/estimate/popularity-targets.js'
import { itemMean, itemPositionMean } from '../../src/estimate/reward/reward-model.js'
import { exampleLog } from '../../src/estimate/source/conformance-logs.js'
import { memorySums } from '../../src/estimate/source/memory-sums.js'
import { sqlSums } from '../../src/estimate/source/sql-sums.js'
import type { SqlRewards } from '../../src/estimate/source/sql-table.js'
import type { Target } from '../../src/estimate/target.js'
import type { Log } from '../../src/log/log.js'
import { randomStream } from '../../src/random/stream.js'
import type { SqlTarget } from '../../src/sql/weighed-rows.js'
import { alike } from '../warehouse-log.js'
import { type FileEngine, engineTable } from './engine-sums.js'
import { softmaxAt } from '../../src/policy/score-rule.js'

const MODELS = { 'item-mean': itemMean, 'item-position-mean': itemPositionMean } as const
const ESTIMATORS = ['dm', 'ips', 'snips', 'dr', 'sndr', 'switch-dr:0.9', 'mrdr']

/** A log without predictions, whose items stand at positions. */
function positionedLog(): Log {
  const { q: _q, v: _v, ...log } = exampleLog(300, 'texts')
  const { uniform } = randomStream(3, 'positions', log.rows)
  return {
    ...log,
    position: Float64Array.from({ length: log.rows }, () => 1 + Math.floor(uniform() ** 2 * 4)),
  }
}

type Asked = readonly [target: SqlTarget, rewards: SqlRewards]

/** What `sourceConformance` does not ask: what others clicked, and means by position; users in other folds for each. */
export const MODEL_CHECKS: readonly (readonly [name: string, asked: Asked])[] = [
  ['popularity', [{ kind: 'popularity', rule: softmaxAt(1) }, {}]],
  [
    'popularity, evened, with other folds and means by position',
    [
      { kind: 'popularity', rule: softmaxAt(3.5) },
      { model: 'item-position-mean', seed: 5 },
    ],
  ],
  ['uniform, with means by position', [{ kind: 'uniform' }, { model: 'item-position-mean' }]],
]

/** Throws where an engine's evaluation is not that of memory. */
export async function modelCheck(
  engine: FileEngine,
  folder: string,
  [target, rewards]: Asked,
): Promise<void> {
  const log = positionedLog()
  const source = sqlSums(engine, await engineTable(engine, folder, log, { target, rewards }))
  const seen: Target =
    target.kind === 'popularity'
      ? { kind: 'policy', policy: popularityTargets(log).by(target.rule) }
      : { kind: 'uniform' }
  const { model = 'item-mean', seed = 0 } = rewards
  const memory = memorySums(log, { target: seen, seed, rewardModel: MODELS[model] })
  const options = { estimators: ESTIMATORS, checks: false }
  const [{ evaluation: found }, { evaluation: expected }] = [
    await evaluateSource(source, options),
    await evaluateSource(memory, options),
  ]
  for (const what of ['verdict', 'estimates', 'diagnostics'] as const)
    alike(found[what], expected[what], what)
}
