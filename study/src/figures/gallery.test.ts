import { createDocument } from 'hindcast/node'
import { biasSweep, bootstrapDistributions } from 'hindcast/figures'
import { expect, it } from 'vitest'
import { exampleStudy } from '../example-study.js'
import { METHOD_LABELS } from '../results.js'
import { estimatorErrors } from './estimator-errors.js'
import { methodComparison } from './method-comparison.js'
import { methodCurves } from './method-curves.js'
import { misspecification } from './misspecification.js'
import { regulariserSweep } from './regulariser-sweep.js'
import { targetEss } from './target-ess.js'

const document = createDocument()

it.each(studyFigures())('$name is drawn as in the gallery', async ({ name, svg }) => {
  await expect(svg).toMatchFileSnapshot(`../../../docs/gallery/${name}.svg`)
})

/** The figures of a study, from made-up results. */
function studyFigures() {
  const { toy, bias, curves, methods, regulariser, misspecification: wrong, targets } = exampleStudy()
  const { logs, truth, label } = toy!.targets[0]!
  const about = { seeds: 3, world: 'Made-up results' }
  const colours = { bpr: 'logged', 'ips-bpr': 'ips-bpr', 'ips-bpr-pr': 'ips-bpr-pr' } as const
  const colourOf = (method: string) =>
    colours[method as keyof typeof colours] ?? (method === 'ips-bce' ? 'ink' : 'muted')
  const { summaries, k } = methods!
  const names = [...new Set(summaries.map(({ method }) => method))]
  return [
    bootstrapDistributions(
      {
        series: [
          { name: 'ips', values: Float64Array.from(logs.ips) },
          { name: 'snips', values: Float64Array.from(logs.snips) },
        ],
        truth,
        over: 'logs',
        target: label,
      },
      { document },
    ),
    biasSweep(
      {
        ...about,
        targets: bias[0]!.targets.map(({ target, label: words, points }) => ({
          label: target,
          about: words,
          points,
        })),
      },
      { document },
    ),
    methodCurves(
      {
        ...about,
        ...curves[0]!,
        methods: curves[0]!.curves.map(({ method, points }) => ({
          label: METHOD_LABELS[method],
          colour: colourOf(method),
          points,
        })),
      },
      { document },
    ),
    methodComparison(
      {
        ...about,
        k,
        methods: names.map((method) => ({
          label: METHOD_LABELS[method],
          colour: colourOf(method),
          isBaseline: ['popularity', 'item-knn', 'ease'].includes(method),
          points: summaries
            .filter((summary) => summary.method === method)
            .map(({ temperature, truth: value, uniform, biased }) => ({
              temperature,
              truth: value,
              uniformNdcg: uniform.ndcg,
              biasedNdcg: biased.ndcg,
            })),
        })),
      },
      { document },
    ),
    estimatorErrors(
      {
        ...about,
        rows: summaries.map((summary) => ({ ...summary, method: METHOD_LABELS[summary.method] })),
      },
      { document },
    ),
    regulariserSweep({ ...about, ...regulariser!, k }, { document }),
    misspecification({ ...about, ...wrong! }, { document }),
    targetEss({ ...about, ...targets! }, { document }),
  ]
}
