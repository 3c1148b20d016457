import type { DescribedWarehouse } from '../node/warehouse/describe-warehouse.js'
import { isWarehouseLog } from '../node/warehouse/warehouse-log.js'
import { HindcastError } from '../error.js'
import type { Arguments, Command, Context } from './command.js'
import { jsonOption, reportOption, tell, writeReport } from './outputs.js'
import { logNamed, type NamedLog } from './join-options.js'
import { LOG_LISTS, LOG_NOTE, LOG_OPTIONS, namedReading, readNamedLog } from './log-options.js'
import { text } from './parse.js'
import { EXAMINED_NOTE, WAREHOUSE_OPTIONS } from './warehouse-options.js'
import type { Description } from '../describe/describe.js'
import { counted, formatCount, formatShare } from '../number-text.js'
import { summarise } from '../words/log-text.js'
import { errorText } from '../words/propensity-text.js'
import { columns, significant, wrap } from './format.js'
import type { Terminal } from './terminal.js'

export const describe: Command = {
  name: 'describe',
  usage: 'describe LOG [options]',
  about:
    'Summarises a log: rows, users, items, click-through rate, how unevenly items were shown, propensities, and the effective sample size for a uniform target policy.',
  options: {
    ...LOG_OPTIONS,
    ...WAREHOUSE_OPTIONS,
    ...jsonOption('the numbers'),
    ...reportOption(
      'write a page with figures: click-through rate and exposure per item, impressions per user, calibration of estimated propensities',
    ),
  },
  examples: [
    ['hindcast describe toy.csv', 'the numbers and a small chart'],
    ['hindcast describe toy.csv --report toy.html', 'with figures, in one HTML file'],
    ['hindcast describe --format obd men.csv --json -', 'Open Bandit data, as JSON'],
    ['hindcast describe ml-1m --format movielens --report ml-1m.html', 'MovieLens, from its folder'],
    [
      'hindcast describe clicks.csv --propensity logistic --report clicks.html',
      'estimate propensities that were not logged, and check their calibration',
    ],
    [
      'zcat log.csv.gz | hindcast describe - --columns user=uid,item=sku,reward=buy,propensity=p',
      'any table, from a pipe',
    ],
  ],
  lists: LOG_LISTS,
  notes: [LOG_NOTE, EXAMINED_NOTE],
  async run(args, context) {
    const { name, description, read } = await described(logNamed(args, 'describe'), args, context)
    if (text(args, 'report') !== undefined && !read) throw noFigures(name)
    await tell(description, () => descriptionText(name, description, context.terminal), args, context)
    await writeReport(args, context, async (path) => {
      const { writeLogReport } = await import('../node/write-report.js')
      const { logSettings } = await import('../report/log-settings.js')
      const { log, file } = read!
      await writeLogReport(
        path,
        { title: file, log, description, settings: logSettings(read!) },
        context.signal,
      )
    })
    return 0
  },
}

/** A log in memory, or in a warehouse, where sums may do. */
async function described(log: NamedLog, args: Arguments, context: Context): Promise<DescribedWarehouse> {
  if (isWarehouseLog(log)) {
    const { describeWarehouse } = await import('../node/warehouse/describe-warehouse.js')
    const answer = await describeWarehouse(log, await namedReading(log, args, context))
    context.terminal.status('')
    return answer
  }
  const { describeLog } = await import('../describe/describe.js')
  const read = await readNamedLog(log, args, context, { notesEstimate: false })
  const { estimatedPropensity } = read
  const description = describeLog(read.log, { ...(estimatedPropensity && { estimatedPropensity }) })
  return { name: read.file, description, read }
}

const noFigures = (name: string): HindcastError =>
  new HindcastError('bad-option', `${name} is too large for a report: its rows stay in the warehouse.`, {
    remedy: 'Leave out --report, or describe a part of the rows: --where, --since, --until.',
  })

const BAR = 40
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A description for a terminal of 80 columns. */
function descriptionText(file: string, description: Description, terminal: Terminal): string {
  const { exposure, activity, propensity, uniformTarget } = description
  const heading = (text: string): string => terminal.style('bold', text)
  const facts: [string, string][] = [
    ['rows', formatCount(description.rows)],
    ...(description.impressions === description.rows
      ? []
      : ([['impressions', formatCount(description.impressions)]] satisfies [string, string][])),
    ['users', `${formatCount(description.users)}, with ${perUser(activity)} each`],
    ['items shown', `${formatCount(description.items)}${neverShown(exposure)}`],
    ['click-through rate', rateText(description)],
    ...(description.meanReward === description.clickRate
      ? []
      : ([
          [
            'mean reward',
            `${significant(description.meanReward, 4)} (${description.rewardRange.map((value) => significant(value)).join(' to ')})`,
          ],
        ] satisfies [string, string][])),
    [
      'exposure',
      `Gini ${significant(exposure.gini, 2)}; the top 10 items got ${formatShare(exposure.top10Share)} of impressions`,
    ],
    ['propensities', propensityText(propensity)],
    ...estimateFacts(propensity, description.rows),
    [
      'effective sample size',
      uniformTarget.ess === null
        ? 'unknown without propensities'
        : `${formatCount(Math.round(uniformTarget.ess))} (${formatShare(uniformTarget.essRatio!)} of the rows) for a uniform target policy`,
    ],
  ]
  return [
    heading(file),
    wrap(summarise(description)),
    '',
    columns(facts),
    '',
    heading('Impressions by decile of items, most shown first'),
    ...exposureBars(exposure.shareByTenth, terminal),
  ].join('\n')
}

const perUser = ({ minImpressions, medianImpressions, maxImpressions }: Description['activity']): string =>
  minImpressions === maxImpressions
    ? counted(minImpressions, 'impression')
    : `${formatCount(minImpressions)} to ${formatCount(maxImpressions)} (median ${significant(medianImpressions)}) impressions`

const neverShown = ({ catalogue, neverShown: never }: Description['exposure']): string =>
  catalogue === null || never === null
    ? ''
    : ` of ${formatCount(catalogue)}; ${formatCount(never)} never shown`

/** Four, or more where the rate would keep fewer than two significant digits. */
const rateDecimals = (rate: number): number =>
  rate > 0 ? Math.min(8, Math.max(4, 1 - Math.floor(Math.log10(rate)))) : 4

function rateText({ clickRate, clickRateInterval }: Description): string {
  const rounded = (rate: number): string => rate.toFixed(rateDecimals(clickRate))
  if (!clickRateInterval) return `${rounded(clickRate)} (no interval: only one user)`
  const [low, high] = clickRateInterval
  return `${rounded(clickRate)} (95 % CI ${rounded(low)}–${rounded(high)})`
}

function propensityText({ source, min, max, floorShare }: Description['propensity']): string {
  if (min === null || max === null || floorShare === null) return 'none'
  const range =
    min === max ? `${significant(min)} on every row` : `${significant(min)} to ${significant(max)}`
  const floor = min === max ? '' : `; ${formatShare(floorShare)} of rows have the lowest`
  return `${range}, ${source}${floor}`
}

function estimateFacts({ estimate }: Description['propensity'], rows: number): [string, string][] {
  if (!estimate) return []
  const { method, folds, floor, rowsAtFloor, calibration, parameters } = estimate
  const unseen = parameters['unseenRows'] ?? 0
  return [
    ['estimated by', `${method}, cross-fitted in ${folds} folds of users`],
    [
      'calibration',
      `off by ${errorText(calibration.error)} on average (chance alone: ${errorText(calibration.errorByChance)}); ${calibration.bins.length} bins`,
    ],
    [
      'floor',
      floor === undefined
        ? 'none'
        : `${significant(floor)}, applied to ${formatCount(rowsAtFloor)} rows (${formatShare(rowsAtFloor / rows)})`,
    ],
    ...(unseen === 0
      ? []
      : ([
          ['items in one fold only', `${formatCount(unseen)} rows (${formatShare(unseen / rows)})`],
        ] satisfies [string, string][])),
  ]
}

function exposureBars(shares: readonly number[], terminal: Terminal): string[] {
  const largest = Math.max(...shares)
  return shares.map((share, tenth) => {
    const eighths = Math.round((share / largest) * BAR * 8)
    const bar = '█'.repeat(eighths >> 3) + EIGHTHS[eighths & 7]!
    const label = `${tenth * 10}–${(tenth + 1) * 10} %`.padStart(9)
    return `  ${label}  ${terminal.style('blue', bar)} ${formatShare(share)}`
  })
}
