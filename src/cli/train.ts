import { join } from 'node:path'
import { regulariserText } from '../commands/train-command.js'
import { HindcastError } from '../error.js'
import type { Log } from '../log/log.js'
import { listed } from '../listed.js'
import { isSolved, TRAINED_MODELS } from '../model/trained-models.js'
import { TRAINED_NAMES } from '../node/trained-names.js'
import type { ReadLog } from '../read/plan.js'
import { SOLVED_BY_DEFAULT } from '../train/best-solved.js'
import { LOSSES } from '../train/losses/index.js'
import type { TrainSettings } from '../train/settings.js'
import { settingsFor } from '../train/settings-for.js'
import type { TrainChoices } from '../train/train-on-log.js'
import type { EpochRecord, Training } from '../train/training.js'
import type { Arguments, Command, Context } from './command.js'
import { bullet, textTable, WIDTH, wrap } from './format.js'
import { jsonOption, reportOption, tell } from './outputs.js'
import { FEATURES_OPTION, LOG_LISTS, LOG_NOTE, LOG_OPTIONS } from './log-options.js'
import {
  type Machine,
  machineOf,
  readTestLog,
  readTrainingLog,
  readUnbiased,
  sayFindings,
  writeTrainingPage,
} from './training-log.js'
import { number, oneOf, text, wholeNumber } from './parse.js'
import { progressLine } from './progress-line.js'
import { STREAMED_NOTE, WAREHOUSE_OPTIONS } from './warehouse-options.js'
import { TRAIN_LISTS, TRAIN_OPTIONS, trainChoicesOf } from './train-options.js'
import { given } from '../given.js'
import type { MarOptions, MarReport } from '../train/mar-protocol.js'
import { marAnswer, marNotes, methodLabel, spreadText } from '../words/mar-text.js'
import { emphasised, type Terminal } from './terminal.js'

export const train: Command = {
  name: 'train',
  usage: 'train LOG --out DIR [options]',
  about:
    'Trains a recommender on the clicks of a log, weighted by how unlikely each item was to be shown, so that it does not mistake popularity for taste. Stops early on validation rows, tests on held-out rows, and compares with simple baselines.',
  options: {
    out: {
      value: 'DIR',
      writes: (folder) => TRAINED_NAMES.map((name) => join(folder, name)),
      help: 'folder for the model, its checkpoints and its report (required)',
    },
    ...TRAIN_OPTIONS,
    unbiased: { value: 'FILE', help: 'a log shown uniformly at random, for --stop-on unbiased' },
    'test-log': {
      value: 'FILE',
      help: 'a log of your own to test on, such as a randomised slice or another week; used once, at the end',
    },
    'test-among': {
      value: 'WHICH',
      help: 'rank the test log among all items, or among the rated ones of each user: all or rated (default: rated if its rewards differ)',
    },
    protocol: {
      value: 'NAME',
      help: 'mar: MF, MF-IPS and DR-JL learn from ratings that users chose to give and are tested on the random ratings of --test-log, over several seeds',
    },
    seeds: { value: 'N', help: 'trainings per method of the protocol (5)' },
    'propensity-share': {
      value: 'SHARE',
      help: 'share of the random ratings that the protocol estimates propensities from, and does not test on (0.05)',
    },
    backend: {
      value: 'NAME',
      help: 'auto (default: a GPU if there is one and the log is large enough, else wasm), wasm, webgpu, or reference (slow and simple)',
    },
    threads: { value: 'N', help: 'threads for wasm (default: all cores); results do not depend on it' },
    resume: { help: 'continue from the last checkpoint in DIR, to the same bits; the backend may differ' },
    overwrite: { help: 'start over in a DIR that already holds a run' },
    ...FEATURES_OPTION,
    ...LOG_OPTIONS,
    ...WAREHOUSE_OPTIONS,
    ...jsonOption('the training'),
    ...reportOption('where to write the page with figures (DIR/report.html)'),
  },
  examples: [
    [
      'hindcast train clicks.parquet --out model',
      'LightGCN with ips-softmax and shrink:0.1 if there are propensities, else the best of iALS, EASE and popularity',
    ],
    ['hindcast train u.data --format movielens --loss bpr --out plain', 'plain BPR on MovieLens ratings'],
    [
      'hindcast train u.data --format movielens --propensity popularity --out debiased',
      'the same, debiased with estimated propensities',
    ],
    [
      'hindcast train clicks.csv --objective log-smoothing --out policy',
      'a policy, learnt from all impressions by what it would earn',
    ],
    [
      'hindcast train offers.csv --objective dr --features age,hour --out policy',
      'a policy over features, which also serves users it has never seen',
    ],
    ['hindcast train clicks.csv --out model --resume', 'continue after Ctrl-C or a crash'],
    [
      'hindcast train clicks.csv --model ease --out ease',
      'EASE, solved directly, with λ chosen on validation',
    ],
    [
      'hindcast train postgres://reader@db/shop --query "SELECT …" --key impression_id --out model',
      'on rows of a warehouse, streamed out',
    ],
    [
      'hindcast train chosen.csv --protocol mar --test-log random.csv --out mar',
      'MF, MF-IPS and DR-JL on ratings, tested on random ones',
    ],
    ['hindcast recommend model --user 42', 'what the model recommends'],
  ],
  lists: [...TRAIN_LISTS, ...LOG_LISTS],
  notes: [LOG_NOTE, STREAMED_NOTE],
  async run(args, context) {
    const asked = { choices: trainChoicesOf(args), machine: machineOf(args, context) }
    const { choices, machine } = asked
    const protocol = protocolOf(args)
    const { out, read } = await readTrainingLog('train', asked, args, context)
    if (protocol) return runProtocol({ out, read, choices, machine }, protocol, args, context)
    requireGradientsFor(machine, settingsOf(choices, read.log))
    sayDefaults(settingsOf(choices, read.log), args, read.log, context)
    await sayFindings(read.log, context)
    const training = await trainAndWatch(out, read, choices, machine, args, context)
    await show({ training, read, out }, args, context)
    return training.stopped === 'interrupted' ? 130 : 0
  },
}

const settingsOf = ({ settings }: TrainChoices, { propensity }: Log): TrainSettings =>
  settingsFor(propensity !== undefined, settings)

/** Model and loss decide what is learnt, so defaults are announced. */
function sayDefaults(settings: TrainSettings, args: Arguments, log: Log, { terminal }: Context): void {
  if (args.values.loss !== undefined || args.values.objective !== undefined) return
  if (isSolved(settings.model) && args.values.model !== undefined) return
  terminal.note(wrap(defaultsText(settings, log)))
}

function defaultsText({ model, loss, regulariser, stopOn }: TrainSettings, log: Log): string {
  if (isSolved(model))
    return `The log has no propensities: the best of ${listed(SOLVED_BY_DEFAULT.map((name) => TRAINED_MODELS.named(name).label))} on the validation clicks is kept. All of them learn exposure bias along with taste. To estimate propensities, use --propensity; to train by gradients, --model lightgcn.`
  return LOSSES.named(loss).weights === 'none'
    ? `The log has no propensities: training with --loss ${loss}, which learns exposure bias along with taste. To estimate propensities, use --propensity.`
    : `Training ${loss} with --pr ${regulariserText(regulariser)} and --stop-on ${stopOn}, because the log has propensities (${log.propensitySource}). To train without weights, use --loss ${LOSSES.named(loss).unweighted}.`
}

async function trainAndWatch(
  out: string,
  { log, file }: ReadLog,
  choices: TrainChoices,
  machine: Machine,
  args: Arguments,
  context: Context,
): Promise<Training> {
  const { trainInFolder } = await import('../node/train-in-folder.js')
  const { epochLine, weightsText } = await import('./training-text.js')
  const { epochs, k } = settingsOf(choices, log)
  const { terminal, signal } = context
  const unbiased = await readUnbiased(args, log, context)
  const testLog = await readTestLog(args, log, context)
  let last: EpochRecord | undefined
  const { training } = await trainInFolder(out, log, choices, {
    file,
    resume: args.values.resume === true,
    overwrite: args.values.overwrite === true,
    ...machine,
    ...(unbiased && { unbiased }),
    ...(testLog && { testLog }),
    onNote: (note) => terminal.note(wrap(note)),
    onWeights: (report) => terminal.note(weightsText(report)),
    onEpoch: (record) => {
      last = record
      terminal.status(epochLine(record, epochs, k))
    },
    onSteps: (epoch, share) => {
      const where = `epoch ${epoch}: ${Math.min(99, Math.floor(share * 100))} % done`
      terminal.status(
        last ? `${startOf(epochLine(last, epochs, k), 79 - where.length - 3)} · ${where}` : where,
      )
    },
    progress: progressLine(terminal),
    signal,
  })
  terminal.status('')
  return training
}

/** A device that trains by gradients has nothing to do where a model is solved. */
function requireGradientsFor({ backend = 'auto' }: Machine, { model }: TrainSettings): void {
  if (!isSolved(model) || backend === 'auto' || backend === 'wasm') return
  throw new HindcastError(
    'bad-option',
    `--backend ${backend} trains by gradients, but ${TRAINED_MODELS.named(model).label} is solved, in WebAssembly.`,
    { remedy: 'Leave out --backend, or train by gradients with --model lightgcn.' },
  )
}

async function show(
  { training, read, out }: { training: Training; read: ReadLog; out: string },
  args: Arguments,
  context: Context,
): Promise<void> {
  const { terminal } = context
  const { inReadingOrder } = await import('../train/training-files.js')
  const { trainingText } = await import('./training-text.js')
  await tell(inReadingOrder(training), () => trainingText(read.file, training, terminal), args, context)
  const report = await writeTrainingPage(training, read, out, text(args, 'report'))
  terminal.note(
    training.stopped === 'interrupted'
      ? `Interrupted. The best model so far is in ${out}; ${isSolved(training.settings.model) ? 'to solve it again from the start, use --overwrite' : 'to continue, run the same command with --resume'}.`
      : `Wrote ${out}: model.json, embeddings.safetensors, epochs.ndjson, training.json. The report is ${report}.`,
  )
}

/** As many of the parts between commas as fit: half a number would be another number. */
function startOf(line: string, width: number): string {
  const parts = line.split(', ')
  while (parts.length > 1 && parts.join(', ').length > width) parts.pop()
  return parts.join(', ')
}

/** The options of the protocol, where it is asked for. */
function protocolOf(args: Arguments): Pick<MarOptions, 'seeds' | 'slice'> | undefined {
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
async function runProtocol(
  { out, read, choices, machine }: { out: string; read: ReadLog; choices: TrainChoices; machine: Machine },
  protocol: Pick<MarOptions, 'seeds' | 'slice'>,
  args: Arguments,
  context: Context,
): Promise<number> {
  const { terminal, signal } = context
  const { marInFolder } = await import('../node/train-in-folder.js')
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
