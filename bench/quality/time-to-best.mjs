// How long until the best validation NDCG, evaluation included: LightGCN with BPR on MovieLens, ratings of 4 and
// more, 64 columns, 3 layers, batches of 1024, two threads. 100K with the default settings, 1M with a learning rate
// of 5e-3. Needs HINDCAST_DATA. About ten minutes.
import { join } from 'node:path'
import { splitByRow } from '../../dist/index.js'
import { kernelOf, readLogFile } from '../../dist/node/index.js'
import { train } from '../../dist/train/index.js'

const SETS = {
  'ml-100k': { file: 'u.data', settings: {} },
  'ml-1m': { file: 'ratings.dat', settings: { learningRate: 5e-3, patience: 10 } },
}

export async function bench({ sets = Object.keys(SETS) } = {}) {
  const data = process.env.HINDCAST_DATA
  if (!data) throw new Error('Set HINDCAST_DATA to a folder with ml-100k and ml-1m.')
  const results = {}
  for (const name of sets) {
    const { file, settings } = SETS[name]
    const { log } = await readLogFile(join(data, name, file), { format: 'movielens' })
    const { training } = await train(splitByRow(log), settings, { kernel: kernelOf({ threads: 2 }) })
    const upToBest = training.epochs.slice(0, training.best.epoch)
    const sum = (what) => upToBest.reduce((total, epoch) => total + epoch[what], 0)
    results[name] = {
      settings,
      bestEpoch: training.best.epoch,
      epochs: training.epochs.length,
      validationNdcg: training.best.value,
      testNdcg: training.ranked[0].test.ndcg.value,
      secondsToBest: sum('seconds'),
      ofThemTraining: sum('trainSeconds'),
    }
    console.log(name, results[name])
  }
  return { results }
}
