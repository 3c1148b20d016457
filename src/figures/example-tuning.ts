import { DEFAULT_SETTINGS, type TrainSettings } from '../train/settings.js'
import { type Reached, type Trial, type Tuning, TUNING_SCHEMA } from '../train/tune/tuning.js'
import { exampleTraining } from './example-training.js'

const RUNGS = [
  { trials: 9, steps: 312 },
  { trials: 3, steps: 936 },
]

/** Rates of drawn trials, and what each reached in its rungs. */
const DRAWN: readonly (readonly [
  rate: number,
  loss: TrainSettings['loss'],
  values: readonly (number | null)[],
])[] = [
  [1e-3, 'bpr', [0.151]],
  [5e-3, 'softmax', [0.231, 0.262]],
  [2e-2, 'bpr', [0.187, 0.221]],
  [5e-4, 'softmax', [0.142]],
  [2e-2, 'softmax', [0.204, 0.209]],
  [1e-2, 'bpr', [null]],
  [2e-3, 'bpr', [0.163]],
  [5e-4, 'bpr', [0.118]],
  [1e-3, 'softmax', [0.176]],
]

const reached = (value: number | null, k: number): Reached => ({
  epochs: value === null ? 0 : 4 * 3 ** k,
  steps: value === null ? 0 : RUNGS[k]!.steps,
  epoch: value === null ? 0 : 4 * 3 ** k,
  value,
  stopped: value === null ? 'diverged' : 'rung',
  seconds: 3 ** k,
})

const trial = (
  role: Trial['role'],
  chosen: Partial<TrainSettings>,
  values: readonly (number | null)[],
): Trial => ({
  role,
  bracket: 0,
  settings: { ...DEFAULT_SETTINGS, epochs: 12, ...chosen },
  reached: values.map(reached),
})

/** A tuning that is complete: nine trials beside the defaults and EASE. */
export function exampleTuning(): Tuning {
  const [model, baseline] = exampleTraining().ranked
  return {
    schema: TUNING_SCHEMA,
    by: 'ndcg',
    asked: '{"by":"ndcg","trials":9}',
    fingerprint: '80000 rows, 12345678',
    brackets: [RUNGS],
    pace: null,
    trials: [
      { ...trial('defaults', {}, [0.193]), reached: [{ ...reached(0.193, 1), stopped: 'patience' }] },
      ...DRAWN.map(([learningRate, loss, values]) => trial('drawn', { learningRate, loss }, values)),
      {
        ...trial('solved', { model: 'ease', lambda: 200 }, []),
        reached: [{ epochs: 0, steps: 0, epoch: 0, value: 0.248, stopped: 'solved', seconds: 2 }],
      },
    ],
    best: 2,
    notes: [],
    test: { best: { ranked: model! }, defaults: { ranked: baseline! } },
  }
}
