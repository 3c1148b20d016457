import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Chart, Table } from '../figures/chart.js'
import { estimatorLabel } from '../figures/estimate-text.js'
import {
  biasSweep,
  bootstrapDistributions,
  clickRatePerItem,
  type ColourName,
  estimatorErrors,
  exposurePerItem,
  interactionsPerUser,
  methodComparison,
  methodCurves,
  misspecification,
  regulariserSweep,
  targetEss,
} from '../figures/index.js'
import { meanText } from '../figures/seed-text.js'
import {
  claimVerdictText,
  durationText,
  measuredText,
  expectedText,
  studyAnswer,
} from '../figures/study-text.js'
import { capitalised } from '../figures/training-text.js'
import { counted, formatCount } from '../number-text.js'
import { type Report, reportHtml, type Section } from '../report/report.js'
import {
  METHOD_LABELS,
  type Counts,
  type EstimatorDraws,
  type MethodsResults,
  type StudyMethod,
  type StudyResults,
} from '../study/results.js'
import { createDocument } from './dom.js'
import { writeAtomically } from './write-atomically.js'

/** What a study report was written to. */
export interface StudyReport {
  /** Path of report.html. */
  readonly report: string
  /** Paths of the figures, in the order of the page. */
  readonly figures: readonly string[]
}

/**
 * Writes the page about a study into a folder: report.html, which needs nothing else, and figures/*.svg. The
 * summary in words, the claims, the paper's figures in its order, comparisons, what goes beyond the paper, and
 * settings. It links to results.json, which is expected beside it.
 */
export async function writeStudyReport(
  folder: string,
  results: StudyResults,
  signal?: AbortSignal,
): Promise<StudyReport> {
  const sections = sectionsOf(results)
  const charts = sections.flatMap((section) => section.charts ?? [])
  const html = reportHtml({
    title: 'Study: IPS-weighted BPR with a propensity regulariser, evaluated by SNIPS',
    answer: studyAnswer(results),
    facts: factsOf(results),
    contents: true,
    charts: [],
    sections,
    files: [{ href: 'results.json', text: 'every number behind every figure, table and claim' }],
    settings: settingsOf(results),
    generatedBy: `hindcast ${results.version}`,
  })
  const figures = join(folder, 'figures')
  await mkdir(figures, { recursive: true })
  const paths: string[] = []
  for (const { name, svg } of charts) {
    const path = join(figures, `${name}.svg`)
    await writeAtomically(path, [svg], signal)
    paths.push(path)
  }
  const report = join(folder, 'report.html')
  await writeAtomically(report, [html], signal)
  return { report, figures: paths }
}

/** A chart under another name, where a page has two of its kind. */
const named = (chart: Chart, name: string): Chart => ({ ...chart, name })

function sectionsOf(results: StudyResults): Section[] {
  const options = { document: createDocument() }
  const seeds = results.seeds.length
  const { toy, description, bias, curves, methods } = results
  const source = results.ratings?.world
  const world = source ? capitalised(source.note ?? `a world made from ${source.name}`) : ''
  return [
    claimsSection(results),
    ...(toy
      ? [
          {
            heading: 'IPS and SNIPS: how estimates vary',
            text: [
              'The paper’s first figure and its appendix: IPS and SNIPS of the same target policy over bootstrap resamples of one ' +
                'toy log, their means aligned; then over independent logs of the same world, which shows how they vary in truth.',
            ],
            charts: toy.targets.flatMap(({ target, label, truth, bootstrap, logs }) =>
              (['resamples', 'logs'] as const).map((over) =>
                named(
                  bootstrapDistributions(
                    { series: seriesOf(over === 'logs' ? logs : bootstrap), truth, over, target: label },
                    options,
                  ),
                  `toy-${over}-${target}`,
                ),
              ),
            ),
          },
        ]
      : []),
    ...(bias.length > 0
      ? [
          {
            heading: 'Exposure bias from strong to weak',
            charts: bias.map((sweep) =>
              named(
                biasSweep(
                  {
                    world: capitalised(sweep.label),
                    targets: sweep.targets.map(({ target, label, points }) => ({
                      label: target,
                      about: label,
                      points,
                    })),
                    seeds,
                  },
                  options,
                ),
                `bias-${sweep.world}`,
              ),
            ),
          },
        ]
      : []),
    ...(curves.length > 0
      ? [
          {
            heading: 'Learning curves',
            charts: curves.map(({ temperature, alpha, curves: own }, k) =>
              named(
                methodCurves(
                  {
                    methods: own.map(({ method, points }) => ({
                      label: METHOD_LABELS[method],
                      colour: METHOD_COLOURS[method],
                      points,
                    })),
                    temperature,
                    alpha,
                    seeds,
                    world,
                  },
                  options,
                ),
                k === 0 ? 'method-curves' : `method-curves-${k + 1}`,
              ),
            ),
          },
        ]
      : []),
    ...(toy
      ? [
          {
            heading: 'The toy world',
            text: [
              `${formatCount(toy.world.users)} users, ${formatCount(toy.world.items)} items, ${formatCount(toy.world.exposures)} exposures a user; ` +
                `click rates drawn from Beta(${toy.world.beta.join(', ')}), exposure in proportion to exp(${toy.world.skew}(i − 1)/(I − 1)). The log of the first seed.`,
            ],
            charts: [
              named(clickRatePerItem(tallyOf(toy.items), options), 'toy-click-rate-per-item'),
              named(
                exposurePerItem(tallyOf(toy.items), { ...options, catalogueKnown: true }),
                'toy-exposure-per-item',
              ),
            ],
          },
        ]
      : []),
    ...(description
      ? [
          {
            heading: description.source.isReal
              ? description.source.name
              : 'Simulated ratings of MovieLens’ size',
            text: [
              `${description.source.note ? `**${capitalised(description.source.note)}.** ` : ''}A rated item counts as shown, a rating of 4 or more as a click.`,
            ],
            charts: [
              named(clickRatePerItem(tallyOf(description.items), options), 'ratings-click-rate-per-item'),
              named(
                exposurePerItem(tallyOf(description.items), { ...options, catalogueKnown: false }),
                'ratings-exposure-per-item',
              ),
              named(
                interactionsPerUser(tallyOf(description.users), options),
                'ratings-interactions-per-user',
              ),
            ],
          },
        ]
      : []),
    ...(methods
      ? [
          {
            heading: 'Methods and estimators compared',
            text: [
              `Every method is trained on one log and valued on another, on pairs that its training did not show. Trained methods take ${formatCount(methods.steps)} steps each.`,
            ],
            charts: [
              methodComparison({ methods: comparedMethods(methods), k: methods.k, seeds, world }, options),
              estimatorErrors(
                {
                  rows: methods.summaries.map((summary) => ({
                    ...summary,
                    method: METHOD_LABELS[summary.method],
                  })),
                  seeds,
                  world,
                },
                options,
              ),
            ],
            sections: comparisonTables(methods),
          },
        ]
      : []),
    ...beyondSection(results, world),
  ]
}

/** The claims as a table, the other readings of each below. */
function claimsSection({ claims }: StudyResults): Section {
  return {
    heading: 'The paper’s claims',
    text: [
      '✔ holds, ✘ does not hold, ◐ depends on how it is read, ? undecided. Intervals are of 95 %, over seeds.',
    ],
    table: {
      columns: [
        { name: 'claim', label: 'Claim' },
        { name: 'verdict', label: 'Verdict', kind: 'verdict' },
        { name: 'effect', label: 'Effect' },
        { name: 'reading', label: 'Reading' },
      ],
      rows: claims.map(({ claim, verdict, effects, explanation, holdsWhen }) => [
        claim,
        claimVerdictText(verdict),
        effects[0] ? measuredText(effects[0]) : null,
        [explanation, holdsWhen ?? ''].filter(Boolean).join(' '),
      ]),
    },
    sections: [
      {
        heading: 'Every number that the verdicts rest on',
        isFolded: true,
        table: {
          columns: [
            { name: 'claim', label: 'Claim' },
            { name: 'what', label: 'What was measured' },
            { name: 'effect', label: 'Effect' },
            { name: 'expected', label: 'Claimed' },
            { name: 'agrees', label: 'Agrees', kind: 'verdict' },
            { name: 'seeds', label: 'Seeds', kind: 'count' },
          ],
          rows: claims.flatMap(({ claim, effects }) =>
            effects.map((effect) => [
              claim,
              effect.label,
              measuredText(effect),
              expectedText(effect),
              { yes: '✔ yes', no: '✘ no', unclear: '? unclear' }[effect.agrees],
              effect.seeds,
            ]),
          ),
        },
      },
    ],
  }
}

const METHOD_COLOURS: Readonly<Record<StudyMethod, ColourName>> = {
  bpr: 'logged',
  'ips-bpr': 'ips-bpr',
  'ips-bpr-pr': 'ips-bpr-pr',
  'ips-bce': 'ink',
  popularity: 'muted',
  'item-knn': 'muted',
  ease: 'muted',
}
const BASELINES: ReadonlySet<StudyMethod> = new Set(['popularity', 'item-knn', 'ease'])

const seriesOf = ({ ips, snips }: EstimatorDraws) => [
  { name: 'ips', values: Float64Array.from(ips) },
  { name: 'snips', values: Float64Array.from(snips) },
]

function tallyOf({ impressions, clicks }: Counts) {
  const reward = Float64Array.from(clicks)
  return {
    ids: impressions.map((_, k) => String(k + 1)),
    impressions: Float64Array.from(impressions),
    reward,
    clicks: reward,
  }
}

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

function comparisonTables({ summaries, k }: MethodsResults): Section[] {
  return [
    {
      heading: 'Estimators against the truth',
      text: [
        'Bias and RMSE are over seeds; the variance is that of the bootstrap resamples, a mean over seeds. Covered: the share of 95 % intervals ' +
          'that hold the truth.',
      ],
      table: estimatorTable(summaries),
    },
    {
      heading: 'Ranking quality under biased and under uniform exposure',
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
      text: [
        'Held-out clicks on items of each bucket alone, from the most clicked (head) to the least (tail), under uniform exposure, and the ' +
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

function beyondSection(results: StudyResults, world: string): Section[] {
  const options = { document: createDocument() }
  const { regulariser, misspecification: wrong, targets, methods } = results
  const seeds = results.seeds.length
  const charts = [
    ...(regulariser
      ? [
          regulariserSweep(
            { ...regulariser, k: methods?.k ?? results.settings.methods.k, seeds, world },
            options,
          ),
        ]
      : []),
    ...(wrong ? [misspecification({ ...wrong, seeds, world }, options)] : []),
    ...(targets ? [targetEss({ ...targets, seeds, world }, options)] : []),
  ]
  return charts.length === 0
    ? []
    : [
        {
          heading: 'Beyond the paper',
          text: [
            'How strong the regulariser should be, what wrong propensities do, and which policies a log can judge at all.',
          ],
          charts,
        },
      ]
}

function factsOf({ claims, seeds, settings, run, ratings }: StudyResults): Report['facts'] {
  const held = claims.filter(({ verdict }) => verdict === 'holds').length
  return [
    { label: 'Claims that hold', value: `${formatCount(held)} of ${formatCount(claims.length)}` },
    { label: 'Seeds', value: formatCount(seeds.length), note: `${seeds[0]} to ${seeds.at(-1)}` },
    { label: 'Bootstrap resamples', value: formatCount(settings.resamples), note: 'of every estimate' },
    ...(ratings
      ? [{ label: 'Ratings', value: ratings.world.isReal ? 'real' : 'simulated', note: ratings.world.name }]
      : []),
    { label: 'Time', value: durationText(run.stepSeconds), note: `on ${counted(run.threads, 'thread')}` },
  ]
}

/** One row for each setting of each part, so that it reads without brackets. */
function settingsOf({ settings, seeds, parts, ratings, version, run }: StudyResults): Report['settings'] {
  const rows: Record<string, unknown> = {
    parts: parts.join(', '),
    seeds: seeds.join(', '),
    ...(ratings && {
      'ratings: world': ratings.world.name,
      'ratings: description': ratings.description.name,
    }),
  }
  for (const [part, value] of Object.entries(settings)) {
    if (part === 'seeds') continue
    if (typeof value !== 'object' || value === null) rows[part] = value
    else
      for (const [name, inner] of Object.entries(value))
        rows[`${part}: ${name}`] = Array.isArray(inner) ? inner.map((each) => each ?? '∞').join(', ') : inner
  }
  return {
    ...rows,
    version,
    started: run.startedAt,
    engine: run.engine,
    threads: run.threads,
    ...Object.fromEntries(
      run.steps.map(({ step, seconds, reused }) => [
        `step: ${step}`,
        `${seconds.toFixed(1)} s${reused ? ', reused' : ''}`,
      ]),
    ),
  }
}
