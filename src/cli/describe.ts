import type { DescribedWarehouse } from '../node/warehouse/describe-warehouse.js'
import { isWarehouseLog } from '../node/warehouse/warehouse-log.js'
import { HindcastError } from '../error.js'
import type { Arguments, Command, Context } from './command.js'
import { jsonOption, reportOption, tell, writeReport } from './outputs.js'
import { logNamed, type NamedLog } from './join-options.js'
import { LOG_LISTS, LOG_NOTE, LOG_OPTIONS, namedReading, readNamedLog } from './log-options.js'
import { text } from './parse.js'
import { EXAMINED_NOTE, WAREHOUSE_OPTIONS } from './warehouse-options.js'

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
    const words = async (): Promise<string> =>
      (await import('./description-text.js')).descriptionText(name, description, context.terminal)
    await tell(description, words, args, context)
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
