import { HindcastError } from '../error.js'
import { given } from '../given.js'
import type { ReadLog } from '../read/plan.js'
import type { MarOptions, MarReport } from '../train/mar-protocol.js'
import type { TrainChoices } from '../train/train-on-log.js'
import type { Arguments, Context } from './command.js'
import { tell } from './outputs.js'
import { type Machine, readTestLog } from './training-log.js'
import { number, oneOf, text, wholeNumber } from './parse.js'
import { progressLine } from './progress-line.js'
import { marAnswer, marNotes, methodLabel, spreadText } from '../words/mar-text.js'
import { bullet, textTable, WIDTH, wrap } from './format.js'
import { emphasised, type Terminal } from './terminal.js'

/** The options of the protocol, where it is asked for. */
export function protocolOf(args: Arguments): Pick<MarOptions, 'seeds' | 'slice'> | undefined {
  const [seeds, slice] = [wholeNumber(args, 'seeds'), number(args, 'propensity-share')]
  if (oneOf(args, 'protocol', ['mar']) === undefined) {
    const extra = seeds === undefined ? (slice === undefined ? undefined : 'propensity-share') : 'seeds'
    if (extra !== undefined)
      throw new HindcastError('bad-option', `--${extra} belongs to --protocol mar.`, {
        remedy: `Leave it out, or add --protocol mar.`,
      })
    return undefined
  }
  for (const other of ['loss', 'objective', 'model', 'unbiased', 'test-among', 'resume', 'report'])
    if (args.values[other] !== undefined)
      throw new HindcastError('bad-option', `--${other} does not go with --protocol mar.`, {
        remedy: 'The protocol trains matrix factorisation by mse, ips-mse and dr-jl: leave it out.',
      })
  if (text(args, 'test-log') === undefined)
    throw new HindcastError('bad-option', '--protocol mar needs --test-log FILE.', {
      remedy: 'FILE holds ratings of random items by the same users.',
    })
  return given({ seeds, slice })
}

/** Trains all methods of the protocol and shows them side by side. */
export async function runProtocol(
  { out, read, choices, machine }: { out: string; read: ReadLog; choices: TrainChoices; machine: Machine },
  protocol: Pick<MarOptions, 'seeds' | 'slice'>,
  args: Arguments,
  context: Context,
): Promise<number> {
  const { terminal, signal } = context
  const { marInFolder } = await import('../node/mar-in-folder.js')
  const { log, unknownRows = 0 } = (await readTestLog(args, read.log, context))!
  const report = await marInFolder(out, read.log, log, {
    ...protocol,
    ...machine,
    unknownRows,
    settings: choices.settings ?? {},
    file: read.file,
    overwrite: args.values.overwrite === true,
    progress: progressLine(terminal),
    signal,
  })
  terminal.status('')
  await tell(report, () => marText(read.file, report, terminal), args, context)
  terminal.note(`Wrote ${out}: mar.json, and a model of each method.`)
  return 0
}

/** The outcome of the protocol for a terminal: the answer, the methods side by side, how it went. */
function marText(file: string, report: MarReport, terminal: Terminal): string {
  const { methods, k } = report
  const rows = methods.map(({ name, over, runs }) => [
    methodLabel(name),
    spreadText(over.mse),
    spreadText(over.mae),
    spreadText(over.auc),
    spreadText(over.ndcg),
    runs.map(({ epoch }) => epoch).join(' '),
  ])
  return [
    terminal.style('bold', file),
    emphasised(wrap(marAnswer(report), WIDTH), terminal),
    '',
    ...textTable(['method', 'MSE', 'MAE', 'AUC', `NDCG@${k}`, 'epochs'], rows, terminal),
    '',
    ...marNotes(report).map(bullet),
  ].join('\n')
}
