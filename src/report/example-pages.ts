import { describeLog, type Description, tallyItems, tallyUsers } from '../describe/describe.js'
import { compare } from '../estimate/compare.js'
import { evaluate } from '../estimate/evaluate.js'
import { modelFiles } from '../model/model-files.js'
import { type NamedFile, textFile } from '../named-file.js'
import { estimatePropensity } from '../propensity/choice.js'
import { trainOnLog } from '../train/train-on-log.js'
import { modelToSave } from '../train/training-files.js'
import { tastesWorld } from '../world/tastes.js'
import { type ComparisonPage, comparisonPage } from './comparison-page.js'
import { type EvaluationPage, evaluationPage, shownEvidence } from './evaluation-page.js'
import { type LogPage, logPage } from './log-page.js'
import type { PageOptions } from './report.js'
import { trainingFolder } from './training-page.js'

const world = tastesWorld({ seed: 2, users: 80, items: 40, exposures: 30, clickRate: 0.25 })

/** A small log with logged propensities. */
export const exampleLog = world.draw()
const settings = { log: 'tastes.csv', format: 'canonical' }

/** What a page about that log is made from; `estimated` takes estimated propensities instead of its own. */
export function exampleLogPage({ estimated = false } = {}): LogPage {
  const { log, estimate } = estimatePropensity(exampleLog, { kind: 'popularity', power: 1 })
  const description: Description = estimated
    ? describeLog(log, { estimatedPropensity: estimate })
    : describeLog(exampleLog)
  const [items, users] = [tallyItems(exampleLog), tallyUsers(exampleLog)]
  return { title: 'tastes.csv', description, items, users, catalogueKnown: true, settings }
}

/** The uniform policy, evaluated on that log. */
export async function exampleEvaluationPage(): Promise<EvaluationPage> {
  const { evaluation, evidence } = await evaluate(exampleLog, {
    target: { kind: 'uniform' },
    withCurve: true,
  })
  return { title: 'tastes.csv', evaluation, evidence: await shownEvidence(evidence), settings }
}

/** The uniform policy against the logging policy, on that log. */
export async function exampleComparisonPage(): Promise<ComparisonPage> {
  const targets = [{ target: { kind: 'logging' } }, { target: { kind: 'uniform' } }] as const
  return { title: 'tastes.csv', comparison: await compare(exampleLog, { targets }), settings }
}

/** All pages, and all files of the folder of a short training; times, which no two runs share, are left at 0. */
export async function exampleFiles(options: PageOptions): Promise<NamedFile[]> {
  const trained = await trainOnLog(exampleLog, { settings: { epochs: 3, dim: 16, batch: 64, k: 5 } })
  const training = {
    ...trained.training,
    epochs: trained.training.epochs.map((epoch) => ({ ...epoch, seconds: 0, trainSeconds: 0 })),
  }
  const model = await modelFiles(modelToSave(trained, exampleLog, 'tastes.csv'), { hindcast: '0.1.0' })
  return [
    textFile('log.html', logPage(exampleLogPage(), options)),
    textFile('log-estimated.html', logPage(exampleLogPage({ estimated: true }), options)),
    textFile('evaluation.html', evaluationPage(await exampleEvaluationPage(), options)),
    textFile('comparison.html', comparisonPage(await exampleComparisonPage(), options)),
    ...trainingFolder({ title: 'tastes.csv', training, model }, options),
  ]
}
