import { estimatorLabel } from 'hindcast'
import { meanText, type Table } from 'hindcast/figures'
import type { Section } from 'hindcast/report'
import { METHOD_LABELS, type MethodsResults } from '../results.js'

/** The numbers behind the comparison of methods: estimators, ranking quality, and quality by popularity. */
export function methodTables({ summaries, k }: MethodsResults): Section[] {
  return [
    {
      heading: 'Estimators against the truth',
      fold: 'closed',
      text: [
        'Bias and RMSE are over seeds; the variance is over bootstrap resamples, averaged over seeds. Covered: the share of 95 % intervals ' +
          'that cover the truth.',
      ],
      table: estimatorTable(summaries),
    },
    {
      heading: 'Ranking quality under biased and under uniform exposure',
      fold: 'closed',
      table: {
        columns: [
          { name: 'method', label: 'Method' },
          { name: 'temperature', label: 'Temperature', kind: 'number' },
          { name: 'truth', label: 'True value', kind: 'number' },
          { name: 'ndcg_uniform', label: `NDCG@${k}, uniform`, kind: 'number' },
          { name: 'ndcg_biased', label: `NDCG@${k}, biased`, kind: 'number' },
          { name: 'recall_uniform', label: `Recall@${k}, uniform`, kind: 'number' },
          { name: 'recall_biased', label: `Recall@${k}, biased`, kind: 'number' },
        ],
        rows: summaries.map(({ method, temperature, truth, uniform, biased }) => [
          METHOD_LABELS[method],
          temperature,
          ...[truth, uniform.ndcg, biased.ndcg].map(meanText),
          uniform.recall.mean,
          biased.recall.mean,
        ]),
      },
    },
    {
      heading: 'By popularity of the item',
      fold: 'closed',
      text: [
        'Held-out clicks within each bucket, from the most clicked (head) to the least (tail), under uniform exposure, and the ' +
          'share of all recommendations that go to the bucket.',
      ],
      table: {
        columns: [
          { name: 'method', label: 'Method' },
          { name: 'temperature', label: 'Temperature', kind: 'number' },
          { name: 'bucket', label: 'Bucket' },
          { name: 'ndcg', label: `NDCG@${k}`, kind: 'number' },
          { name: 'recall', label: `Recall@${k}`, kind: 'number' },
          { name: 'recommended_share', label: 'Share of recommendations', kind: 'share' },
        ],
        rows: summaries.flatMap(({ method, temperature, uniform }) =>
          uniform.buckets.map(({ bucket, ndcg, recall, recommendedShare }) => [
            METHOD_LABELS[method],
            temperature,
            bucket,
            meanText(ndcg),
            meanText(recall),
            recommendedShare.mean,
          ]),
        ),
      },
    },
  ]
}

const estimatorTable = (summaries: MethodsResults['summaries']): Table => ({
  columns: [
    { name: 'method', label: 'Method' },
    { name: 'temperature', label: 'Temperature', kind: 'number' },
    { name: 'estimator', label: 'Estimator' },
    { name: 'value', label: 'Estimate', kind: 'number' },
    { name: 'truth', label: 'Truth', kind: 'number' },
    { name: 'bias', label: 'Bias', kind: 'number' },
    { name: 'variance', label: 'Variance', kind: 'number' },
    { name: 'rmse', label: 'RMSE', kind: 'number' },
    { name: 'coverage', label: 'Covered', kind: 'share' },
  ],
  rows: summaries.flatMap(({ method, temperature, truth, estimators }) =>
    estimators.map(({ estimator, value, error, variance, rmse, coverage }) => [
      METHOD_LABELS[method],
      temperature,
      estimatorLabel(estimator),
      value.mean,
      truth.mean,
      meanText(error),
      variance,
      rmse,
      coverage,
    ]),
  ),
})
