// What ten minutes of tuning give against the defaults: MovieLens 100K, ratings of 4 and more, on two threads. Trials
// are chosen by NDCG@10 on the validation clicks, and tested on clicks that chose nothing. Once among all models, once
// among those trained by gradients alone. Needs HINDCAST_DATA. Ten minutes each.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readLogFile, tuneInFolder } from '../../dist/node/index.js'

const MINUTES = 10
const SPACES = {
  'all models': {},
  'trained by gradients': { tried: { model: [{ model: 'lightgcn' }, { model: 'mf' }] } },
}

export async function bench({ spaces = Object.keys(SPACES) } = {}) {
  const data = process.env.HINDCAST_DATA
  if (!data) throw new Error('Set HINDCAST_DATA to a folder with ml-100k.')
  const { log } = await readLogFile(join(data, 'ml-100k', 'u.data'), { format: 'movielens' })
  const results = {}
  for (const name of spaces) {
    const folder = await mkdtemp(join(tmpdir(), 'hindcast-tuning-'))
    const began = performance.now()
    const { tuning } = await tuneInFolder(
      folder,
      log,
      { by: 'ndcg', minutes: MINUTES, ...SPACES[name] },
      { threads: 2, baselines: 'none' },
    )
    results[name] = { ...summaryOf(tuning), minutes: (performance.now() - began) / 60_000 }
    console.log(name, results[name])
    await rm(folder, { recursive: true })
  }
  return { results }
}

function summaryOf({ trials, brackets, best, test }) {
  const defaults = trials.find(({ role }) => role === 'defaults')
  const testOf = ({ ranked }) => ranked.test.ndcg
  return {
    trials: trials.length,
    brackets,
    best: trials[best].settings,
    validation: { best: trials[best].reached.at(-1).value, defaults: defaults.reached.at(-1).value },
    defaultsEpochs: defaults.reached.at(-1).epochs,
    test: { best: testOf(test.best), defaults: testOf(test.defaults) },
  }
}
