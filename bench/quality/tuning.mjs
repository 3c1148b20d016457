// What ten minutes of tuning give against the defaults: MovieLens 100K, ratings of 4 and more, on two threads. Trials
// are chosen by NDCG@10 on the validation clicks, and tested on clicks that chose nothing. Needs HINDCAST_DATA. Ten
// minutes, longer on a machine that has become slower since it was measured.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readLogFile, tuneInFolder } from '../../dist/node/index.js'

const MINUTES = 10

export async function bench() {
  const data = process.env.HINDCAST_DATA
  if (!data) throw new Error('Set HINDCAST_DATA to a folder with ml-100k.')
  const { log } = await readLogFile(join(data, 'ml-100k', 'u.data'), { format: 'movielens' })
  const folder = await mkdtemp(join(tmpdir(), 'hindcast-tuning-'))
  const choices = { by: 'ndcg', minutes: MINUTES }
  const { tuning } = await tuneInFolder(folder, log, choices, { threads: 2, baselines: 'none' })
  await rm(folder, { recursive: true })
  const results = { 'ml-100k': summaryOf(tuning) }
  console.log(results)
  return { results }
}

/** What was chosen, and the best of each role, on the part that chose and on the part that did not. */
function summaryOf({ trials, brackets, best, test }) {
  const valueOf = ({ reached }) => reached.at(-1)?.value ?? -Infinity
  const bestOf = (role) =>
    trials.filter((trial) => trial.role === role).reduce((a, b) => (valueOf(b) > valueOf(a) ? b : a))
  const seconds = trials.flatMap(({ reached }) => reached).reduce((sum, one) => sum + one.seconds, 0)
  return {
    trials: trials.length,
    brackets,
    minutesOfTrials: seconds / 60,
    best: trials[best].settings,
    validation: Object.fromEntries(
      ['defaults', 'drawn', 'solved'].map((role) => {
        const { settings, reached } = bestOf(role)
        const { model, loss, learningRate, dim, layers, drawn } = settings
        return [role, { model, loss, learningRate, dim, layers, drawn, ...reached.at(-1) }]
      }),
    ),
    test: { best: test.best.ranked.test.ndcg, defaults: test.defaults.ranked.test.ndcg },
  }
}
