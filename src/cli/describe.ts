import type { Command } from './command.js'
import { writeJson } from './json.js'
import { LOG_LISTS, LOG_NOTE, LOG_OPTIONS, readNamedLog } from './log-options.js'
import { onlyPositional, text } from './parse.js'

export const describe: Command = {
  name: 'describe',
  usage: 'describe LOG [options]',
  about:
    'Says what a log holds: rows, users, items, click rate, how exposure is spread, propensities, and the effective sample size they leave for a uniform policy.',
  options: {
    ...LOG_OPTIONS,
    json: { type: 'string', value: 'FILE|-', help: 'the numbers as JSON, to a file or to standard output' },
    report: {
      type: 'string',
      value: 'FILE.html',
      help: 'a page with figures: click rate and exposure per item, interactions per user, and how far estimated propensities are right',
    },
  },
  examples: [
    ['hindcast describe toy.csv', 'the numbers and a small drawing'],
    ['hindcast describe toy.csv --report toy.html', 'with the figures, in one file'],
    ['hindcast describe --format obd men.csv --json -', 'Open Bandit data, as JSON'],
    ['hindcast describe ml-1m --format movielens --report ml-1m.html', 'MovieLens, from its folder'],
    [
      'hindcast describe clicks.csv --propensity logistic --report clicks.html',
      'propensities that were not logged, estimated, with how far they are right',
    ],
    [
      'zcat log.csv.gz | hindcast describe - --columns user=uid,item=sku,reward=buy,propensity=p',
      'any table, from a pipe',
    ],
  ],
  lists: LOG_LISTS,
  notes: [LOG_NOTE],
  async run(args, context) {
    const { describeLog } = await import('../describe/describe.js')
    const read = await readNamedLog(onlyPositional(args, 'describe', 'a log'), args, context, {
      tellEstimate: false,
    })
    const { estimatedPropensity } = read
    const description = describeLog(read.log, { ...(estimatedPropensity && { estimatedPropensity }) })
    const json = text(args, 'json')
    const report = text(args, 'report')
    if (json !== undefined) await writeJson(json, description, context)
    if (json !== '-') {
      const { descriptionText } = await import('./description-text.js')
      context.terminal.print(descriptionText(read.file, description, context.terminal))
    }
    if (report !== undefined) {
      const { writeLogReport } = await import('../node/log-report.js')
      const { logSettings } = await import('../report/log-settings.js')
      const settings = logSettings(read)
      await writeLogReport(report, { title: read.file, log: read.log, description, settings }, context.signal)
      context.terminal.note(`Wrote ${report}.`)
    }
    return 0
  },
}
