import { formatCount } from 'hindcast'
import type { Section } from 'hindcast/report'
import { METHOD_LABELS, type MethodsResults, type StudyMethod } from '../results.js'
import { answering } from './answering.js'
import { METHOD_COLOURS } from './method-colours.js'
import { methodTables } from './method-tables.js'
import type { PageInput } from './page-input.js'
import { estimatorErrors } from '../figures/estimator-errors.js'
import { methodComparison } from '../figures/method-comparison.js'

/** Methods and estimators against one another, in figures and in tables. */
export function methodsSections({ results, options, world }: PageInput): Section[] {
  const { methods, claims } = results
  const seeds = results.seeds.length
  if (!methods) return []
  const { text, fold } = answering(claims, [
    'weighted-under-snips',
    'weighted-under-uniform',
    'regularised-value',
    'steadier-evaluation',
  ])
  const errors = estimatorErrors(
    {
      rows: methods.summaries.map((summary) => ({ ...summary, method: METHOD_LABELS[summary.method] })),
      seeds,
      world,
    },
    options,
  )
  const [estimators, ...rankings] = methodTables(methods)
  return [
    {
      heading: 'Methods and estimators compared',
      fold,
      text: [
        ...text,
        `Every method is trained on one log and valued on another, on pairs that its training did not show. Trained methods take ${formatCount(methods.steps)} steps each.`,
      ],
      charts: [methodComparison({ methods: comparedMethods(methods), k: methods.k, seeds, world }, options)],
      sections: [{ ...estimators!, charts: [errors] }, ...rankings],
    },
  ]
}

const BASELINES: ReadonlySet<StudyMethod> = new Set(['popularity', 'item-knn', 'ease'])

const comparedMethods = ({ summaries }: MethodsResults) =>
  [...new Set(summaries.map(({ method }) => method))].map((method) => ({
    label: METHOD_LABELS[method],
    colour: METHOD_COLOURS[method],
    isBaseline: BASELINES.has(method),
    points: summaries
      .filter((summary) => summary.method === method)
      .map(({ temperature, truth, uniform, biased }) => ({
        temperature,
        truth,
        uniformNdcg: uniform.ndcg,
        biasedNdcg: biased.ndcg,
      })),
  }))
