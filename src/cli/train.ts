import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { regulariserText } from '../commands/train-command.js'
import { HindcastError } from '../error.js'
import { BACKENDS } from '../kernels/backends.js'
import type { Log } from '../log/log.js'
import type { TrainInFolderOptions } from '../node/train-in-folder.js'
import type { ReadLog } from '../read/plan.js'
import { LOSSES } from '../train/losses/index.js'
import type { TrainSettings } from '../train/settings.js'
import { settingsFor } from '../train/settings-for.js'
import type { TrainChoices } from '../train/train-on-log.js'
import type { EpochRecord, Training } from '../train/training.js'
import type { Arguments, Command, Context } from './command.js'
import { oneOf, withNamedColumns } from './evaluate-options.js'
import { wrap } from './format.js'
import { writeJson } from './json.js'
import { LOG_LISTS, LOG_NOTE, LOG_OPTIONS, readNamedLog } from './log-options.js'
import { onlyPositional, text, wholeNumber } from './parse.js'
import { progressLine } from './progress-line.js'
import { TRAIN_LISTS, TRAIN_OPTIONS, trainChoicesOf } from './train-options.js'

export const train: Command = {
  name: 'train',
  usage: 'train LOG --out DIR [options]',
  about:
    'Trains a recommender on the clicks of a log, weighted by how unlikely they were to be shown, so that it does not take popularity for taste. Stops by a validation part, tests on a part never looked at, and compares with simple baselines.',
  options: {
    out: { type: 'string', value: 'DIR', help: 'folder for the model, its checkpoints and its report' },
    ...TRAIN_OPTIONS,
    unbiased: { type: 'string', value: 'FILE', help: 'a log of uniform exposure, for --stop-on unbiased' },
    backend: {
      type: 'string',
      value: 'NAME',
      help: 'auto (default: a GPU where there is one and the log is worth it, else wasm), wasm, webgpu, or reference, slow and obvious',
    },
    threads: {
      type: 'string',
      value: 'N',
      help: 'of wasm; default: as many as there are cores; results do not depend on it',
    },
    resume: {
      type: 'boolean',
      help: 'go on from the last checkpoint in DIR, to the same bits; another backend may take over',
    },
    overwrite: { type: 'boolean', help: 'begin anew in a DIR that holds a training' },
    ...LOG_OPTIONS,
    json: { type: 'string', value: 'FILE|-', help: 'the training as JSON, to a file or to standard output' },
    report: {
      type: 'string',
      value: 'FILE.html',
      help: 'where the page with figures goes (DIR/report.html)',
    },
  },
  examples: [
    [
      'hindcast train clicks.parquet --out model',
      'LightGCN; ips-bpr with shrink:0.1 where there are propensities',
    ],
    ['hindcast train u.data --format movielens --loss bpr --out plain', 'plain BPR on MovieLens ratings'],
    [
      'hindcast train u.data --format movielens --propensity popularity --out debiased',
      'the same, debiased by estimated propensities',
    ],
    ['hindcast train clicks.csv --out model --resume', 'go on after Ctrl-C, or after a crash'],
    ['hindcast recommend model --user 42', 'what the model would show'],
  ],
  lists: [...TRAIN_LISTS, ...LOG_LISTS],
  notes: [LOG_NOTE],
  async run(args, context) {
    const path = onlyPositional(args, 'train', 'a log')
    const out = text(args, 'out')
    if (out === undefined)
      throw new HindcastError('bad-option', 'hindcast train needs --out DIR.', {
        remedy: `For example: hindcast train ${path} --out model`,
      })
    const choices = trainChoicesOf(args)
    const machine = machineOf(args, context)
    const target = text(args, 'weight-target') ?? 'uniform'
    // Plain BPR needs no propensities, so that a log without any needs no choice in their place.
    const read = await readNamedLog(path, withNamedColumns(target, args), context, {
      propensityOptional: true,
    })
    sayLoss(settingsOf(choices, read.log), args, read.log, context)
    const training = await trainAndWatch(out, read, choices, machine, args, context)
    await show({ training, read, out }, args, context)
    return training.stopped === 'interrupted' ? 130 : 0
  },
}

const settingsOf = ({ settings }: TrainChoices, { propensity }: Log): TrainSettings =>
  settingsFor(propensity !== undefined, settings)

/** The loss decides what the model means: where the user did not choose it, it is said aloud. */
function sayLoss(settings: TrainSettings, args: Arguments, log: Log, { terminal }: Context): void {
  if (args.values.loss !== undefined) return
  terminal.note(
    wrap(
      LOSSES.named(settings.loss).weights === 'none'
        ? 'The log has no propensities: training plain BPR, which learns the bias of what was shown. --propensity says how to estimate them.'
        : `Training ${settings.loss} with --pr ${regulariserText(settings.regulariser)}, since the log has propensities (${log.propensitySource}). --loss bpr trains without them.`,
    ),
  )
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
  let last: EpochRecord | undefined
  const { training } = await trainInFolder(out, log, choices, {
    file,
    resume: args.values.resume === true,
    overwrite: args.values.overwrite === true,
    ...machine,
    ...(unbiased && { unbiased }),
    onNote: (note) => terminal.note(wrap(note)),
    onWeights: (report) => terminal.note(weightsText(report)),
    onEpoch: (record) => {
      last = record
      terminal.status(epochLine(record, epochs, k))
    },
    onSteps: (epoch, share) => {
      const where = `epoch ${epoch}, ${Math.min(99, Math.floor(share * 100))} % of its steps`
      terminal.status(
        last ? `${epochLine(last, epochs, k).slice(0, 79 - where.length - 3)} · ${where}` : where,
      )
    },
    progress: progressLine(terminal),
    signal,
  })
  terminal.status('')
  return training
}

/** The log of uniform exposure by the ids of the training log. */
async function readUnbiased(args: Arguments, log: Log, context: Context): Promise<Log | undefined> {
  const path = text(args, 'unbiased')
  if (path === undefined) return undefined
  const { alignLog } = await import('../log/align.js')
  const { counted } = await import('../number-text.js')
  const values = { ...args.values, propensity: 'none', 'propensity-floor': undefined }
  const read = await readNamedLog(path, { ...args, values }, context)
  const aligned = alignLog(read.log, log)
  if (aligned.leftOut > 0)
    context.terminal.note(
      `Left out ${counted(aligned.leftOut, 'row')} of ${path}: users or items that the log does not have.`,
    )
  return aligned.log
}

/** What it is to train on. */
type Machine = Pick<TrainInFolderOptions, 'backend' | 'threads'>

function machineOf(args: Arguments, context: Context): Machine {
  const backend = oneOf(args, 'backend', BACKENDS)
  const threads = threadsOf(args, context)
  return { ...(backend && { backend }), ...(threads !== undefined && { threads }) }
}

function threadsOf(args: Arguments, { terminal }: Context): number | undefined {
  const threads = wholeNumber(args, 'threads')
  if (threads === 0)
    throw new HindcastError('bad-option', '--threads 0 leaves nobody to do the work.', {
      remedy: 'Give at least 1.',
    })
  const cores = availableParallelism()
  if (threads !== undefined && threads > cores)
    terminal.note(`${threads} threads were asked for; this machine has ${cores} cores, so ${cores} are used.`)
  return threads
}

async function show(
  { training, read, out }: { training: Training; read: ReadLog; out: string },
  args: Arguments,
  context: Context,
): Promise<void> {
  const { terminal } = context
  const json = text(args, 'json')
  if (json !== undefined) await writeJson(json, training, context)
  if (json !== '-') {
    const { trainingText } = await import('./training-text.js')
    terminal.print(trainingText(read.file, training, terminal))
  }
  const { REPORT_FILE } = await import('../report/training-folder.js')
  const report = text(args, 'report') ?? join(out, REPORT_FILE)
  const { writeTrainingReport } = await import('../node/training-report.js')
  const { file, estimatedPropensity } = read
  await writeTrainingReport(report, {
    title: file,
    training,
    ...(estimatedPropensity && { estimatedPropensity }),
  })
  terminal.note(
    training.stopped === 'interrupted'
      ? `Interrupted: the best model so far is in ${out}. The same command with --resume goes on.`
      : `Wrote ${out}: model.json, embeddings.safetensors, epochs.ndjson, training.json; ${report}.`,
  )
}
