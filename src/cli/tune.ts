import { join } from 'node:path'
import { commandLine } from '../commands/command-line.js'
import { trainCommandOf } from '../commands/train-command.js'
import { HindcastError } from '../error.js'
import type { TunedInFolder } from '../node/tune-in-folder.js'
import { isSolved } from '../model/trained-models.js'
import { TRAINED_NAMES } from '../node/trained-names.js'
import { TRIALS, TUNING_FILE, TUNING_PAGE } from '../node/tuning-folder.js'
import type { ReadLog } from '../read/plan.js'
import type { TrainChoices } from '../train/train-on-log.js'
import type { Alternative } from '../train/tune/dimensions.js'
import type { TuneChoices } from '../train/tune/plan-tuning.js'
import type { TrialProgress } from '../train/tune/tune.js'
import type { Tuning } from '../train/tune/tuning.js'
import type { Arguments, Command, Context } from './command.js'
import { bullet, duration, GAP, WIDTH, wrap } from './format.js'
import { jsonOption, reportOption, tell } from './outputs.js'
import { FEATURES_OPTION, LOG_LISTS, LOG_NOTE, LOG_OPTIONS } from './log-options.js'
import {
  type Machine,
  machineOf,
  readTrainingLog,
  readUnbiased,
  sayFindings,
  writeTrainingPage,
} from './training-log.js'
import { text } from './parse.js'
import { progressLine } from './progress-line.js'
import { train } from './train.js'
import { TRAIN_LISTS, trainChoicesOf } from './train-options.js'
import { LISTS_NOTE, TUNE_OPTIONS, tuneChoicesOf } from './tune-options.js'
import { STREAMED_NOTE, WAREHOUSE_OPTIONS } from './warehouse-options.js'
import { formatCount } from '../number-text.js'
import type { EpochRecord } from '../train/training.js'
import { formatScore, measureLabel, modelLabel } from '../words/training-text.js'
import { lastOf, rankedTrials, rungsText, trialName, trialText, tuningAnswer } from '../words/tuning-text.js'
import { emphasised, type Terminal } from './terminal.js'

const { unbiased, backend, threads } = train.options

export const tune: Command = {
  name: 'tune',
  usage: 'tune LOG --out DIR [options]',
  about:
    'Chooses loss, learning rate, sizes and regulariser of a recommender: tries many for a few steps, the best third three times as long, and so on. Trials are chosen on validation rows; the best model is tested, beside the defaults, on rows that no choice was based on, and saved as train saves it.',
  options: {
    out: {
      value: 'DIR',
      writes: (folder) =>
        [...TRAINED_NAMES, TUNING_FILE, TRIALS, TUNING_PAGE].map((name) => join(folder, name)),
      help: 'folder for the best model, the trials and the reports (required)',
    },
    ...TUNE_OPTIONS,
    unbiased: { ...unbiased!, help: 'a log shown uniformly at random, for --by unbiased' },
    backend: backend!,
    threads: threads!,
    resume: { help: 'continue a tuning that was stopped, to the same choice and the same bits' },
    overwrite: { help: 'start over in a DIR that already holds a run' },
    ...FEATURES_OPTION,
    ...LOG_OPTIONS,
    ...WAREHOUSE_OPTIONS,
    ...jsonOption('the tuning'),
    ...reportOption('where to write the page with the trials (DIR/tuning.html)'),
  },
  examples: [
    ['hindcast tune clicks.parquet --out model', 'what ten minutes find'],
    [
      'hindcast tune u.data --format movielens --minutes 30 --out model',
      'the best ranking of held-out clicks',
    ],
    [
      'hindcast tune clicks.csv --loss bpr,softmax --lr 1e-3,1e-2 --dim 64 --trials 20 --out model',
      'among values of your own',
    ],
    [
      'hindcast tune clicks.csv --by lower-bound --out policy',
      'the policy that surely earns the most, with its certificate',
    ],
    ['hindcast tune clicks.parquet --out model --resume', 'continue after Ctrl-C or a crash'],
  ],
  lists: [...TRAIN_LISTS.filter(({ heading }) => !heading.includes('--stop-on')), ...LOG_LISTS],
  notes: [LISTS_NOTE, LOG_NOTE, STREAMED_NOTE],
  async run(args, context) {
    const choices = tuneChoicesOf(args)
    const machine = machineOf(args, context)
    const { out, read } = await readTrainingLog('tune', { choices: largest(choices), machine }, args, context)
    await sayFindings(read.log, context)
    const tuned = await tuneAndWatch(out, read, choices, machine, args, context)
    await show(tuned, { read, out, choices }, args, context)
    if (tuned.trained?.training.stopped === 'interrupted') return 130
    return tuned.trained ? 0 : 1
  },
}

/** The choices with the widest embeddings that may be drawn: what the largest trial takes. */
function largest({ settings = {}, tried = {}, split }: TuneChoices): TrainChoices {
  const widths = (tried.dim ?? LARGEST).flatMap(({ dim }) => dim ?? [])
  return { settings: { dim: Math.max(...widths), ...settings }, ...(split && { split }) }
}

const LARGEST: readonly Alternative[] = [{ dim: 128 }]

async function tuneAndWatch(
  out: string,
  { log, file }: ReadLog,
  choices: TuneChoices,
  machine: Machine,
  args: Arguments,
  context: Context,
): Promise<TunedInFolder> {
  const { tuneInFolder } = await import('../node/tune-in-folder.js')
  const { terminal, signal } = context
  const fair = await readUnbiased(args, log, context)
  let at: TrialProgress | undefined
  let first: { readonly share: number; readonly time: number } | undefined
  const secondsLeft = (): number | undefined => {
    if (!at || !first || at.share - first.share < 0.02) return undefined
    return ((performance.now() - first.time) / 1000 / (at.share - first.share)) * (1 - at.share)
  }
  const tuned = await tuneInFolder(out, log, choices, {
    file,
    resume: args.values['resume'] === true,
    overwrite: args.values['overwrite'] === true,
    ...machine,
    ...(fair && { unbiased: fair }),
    baselines: trainChoicesOf({ ...args, values: baselineValues(args) }).baselines ?? 'fast',
    onNote: (note) => terminal.note(wrap(note)),
    onMeasure: (kind) => terminal.status(`measuring how fast this machine trains: ${kind}`),
    onTrial: (progress) => {
      if (!at) terminal.note(wrap(planText(progress.tuning)))
      at = progress
      if (progress.rung !== null) first ??= { share: progress.share, time: performance.now() }
      terminal.status(trialLine(progress, undefined, secondsLeft()))
    },
    onEpoch: (record) => at && terminal.status(trialLine(at, record, secondsLeft())),
    onSteps: (epoch, share) =>
      at &&
      terminal.status(
        `${trialLine(at, undefined, secondsLeft())}, epoch ${epoch}: ${Math.floor(100 * share)} %`,
      ),
    onChosen: () => terminal.status('testing the best trial beside the defaults'),
    progress: progressLine(terminal),
    signal,
  }).catch((error: unknown) => {
    throw interruptedIn(out, error)
  })
  terminal.status('')
  return tuned
}

/** The options that choose baselines, alone: others may be lists here. */
const baselineValues = ({ values }: Arguments): Arguments['values'] => ({
  baselines: values['baselines'],
  'no-baselines': values['no-baselines'],
})

/** An interruption with what to do next. */
const interruptedIn = (out: string, error: unknown): unknown =>
  error instanceof HindcastError && error.code === 'interrupted'
    ? new HindcastError('interrupted', `Interrupted. The trials so far are in ${out}.`, {
        remedy: 'To continue, run the same command with --resume.',
        cause: error,
      })
    : error

/** The command that trains the best model again, with the log read as it was. */
function commandOf(
  tuning: Tuning,
  read: ReadLog,
  { split }: TuneChoices,
  args: Arguments,
): string | undefined {
  const best = tuning.trials[tuning.best ?? -1]
  if (!best) return undefined
  const { weightTarget: _, ...settings } = best.settings
  const [, , ...words] = trainCommandOf({
    log: { file: read.file },
    hasPropensities: read.log.propensity !== undefined,
    out: 'again',
    settings,
    ...(split && { split }),
  })
  const kept = [
    ...Object.keys(FEATURES_OPTION),
    ...Object.keys(LOG_OPTIONS),
    ...Object.keys(WAREHOUSE_OPTIONS),
    ...(isSolved(settings.model) ? [] : ['weight-target']),
    'unbiased',
  ]
  const typed = kept.flatMap((name) => {
    const value = args.values[name]
    if (value === undefined || value === false) return []
    return value === true ? [`--${name}`] : [value].flat().flatMap((one) => [`--${name}`, one])
  })
  return commandLine(['train', ...args.positionals, ...words, ...typed])
}

async function show(
  { tuning, trained }: TunedInFolder,
  { read, out, choices }: { read: ReadLog; out: string; choices: TuneChoices },
  args: Arguments,
  context: Context,
): Promise<void> {
  const { terminal } = context
  const command = commandOf(tuning, read, choices, args)
  await tell(tuning, () => tuningText(read.file, tuning, command, terminal), args, context)
  const report = text(args, 'report') ?? join(out, TUNING_PAGE)
  const { writeTuningReport } = await import('../node/write-report.js')
  await writeTuningReport(report, { title: read.file, tuning, ...(command !== undefined && { command }) })
  if (!trained) {
    terminal.note(`Wrote ${report}; there is no model.`)
    return
  }
  await writeTrainingPage(trained.training, read, out)
  terminal.note(
    wrap(
      `Wrote ${out}: the best model, its training.json and report.html, and tuning.json with all trials. The report on the trials is ${report}.`,
    ),
  )
}

/** Trials that a terminal shows; the report has all. */
const SHOWN = 10

/** A tuning for a terminal of 80 columns: the answer, the best trials, the command that repeats the best, notes. */
function tuningText(file: string, tuning: Tuning, command: string | undefined, terminal: Terminal): string {
  const { notes, trials } = tuning
  const more = trials.length - SHOWN
  return [
    terminal.style('bold', file),
    emphasised(wrap(tuningAnswer(tuning), WIDTH), terminal),
    '',
    terminal.style('bold', 'The best trials'),
    ...trialRows(tuning, terminal),
    ...(more > 0 ? [`${GAP}and ${formatCount(more)} more, in the report`] : []),
    ...(command === undefined
      ? []
      : ['', terminal.style('bold', 'To train the best model again'), `${GAP}${command}`]),
    ...(notes.length > 0 ? ['', terminal.style('bold', 'Notes'), ...notes.map(bullet)] : []),
  ].join('\n')
}

/** Value, epochs and settings of the best trials; long settings go on in the next line. */
function trialRows(tuning: Tuning, terminal: Terminal): string[] {
  const heads = ['trial', measureLabel(tuning.by, tuning.trials[0]!.settings.k), 'epochs', 'settings']
  const rows = rankedTrials(tuning)
    .slice(0, SHOWN)
    .map(({ trial, number }) => {
      const last = lastOf(trial)
      const value =
        last?.value == null ? (last?.stopped === 'diverged' ? 'diverged' : '–') : formatScore(last.value)
      const epochs = trial.role === 'solved' ? '–' : formatCount(last?.epochs ?? 0)
      return [trialName(trial, number), value, epochs, trialText(trial.settings)]
    })
  const widths = heads.map((head, k) => Math.max(head.length, ...rows.map((row) => row[k]!.length)))
  const line = (cells: readonly string[]): string => {
    const left = `${GAP}${cells[0]!.padEnd(widths[0]!)}${GAP}${cells[1]!.padStart(widths[1]!)}${GAP}${cells[2]!.padStart(widths[2]!)}${GAP}`
    return `${left}${wrap(cells[3]!, WIDTH, ' '.repeat(left.length)).trimStart()}`
  }
  return [terminal.style('dim', line(heads)), ...rows.map(line)]
}

/** What is about to be done: "Tuning by NDCG@10: 27 trials for 312 steps, the best 9 for 936 …". */
function planText(tuning: Tuning): string {
  const { brackets, trials, by, pace } = tuning
  const solved = trials
    .filter(({ role }) => role === 'solved')
    .map(({ settings }) => modelLabel(settings.model))
  const parts = [
    ...brackets.slice(0, 1).map((rungs) => `the defaults, ${rungsText(rungs)}`),
    ...(solved.length > 0 ? [`${solved.join(' and ')} once`] : []),
  ]
  const further = pace ? ' If trials end early, further ones take the time that is left.' : ''
  return `Tuning by ${measureLabel(by, trials[0]!.settings.k)} on the validation part: ${parts.join('; ')}.${further}`
}

/** A line about the trial that trains: where it is, how it does, how long all of it still takes. */
function trialLine(
  { tuning, bracket, rung, place, of, epochs, share, number }: TrialProgress,
  record: EpochRecord | undefined,
  secondsLeft: number | undefined,
): string {
  const { role, settings } = tuning.trials[number]!
  const { k } = settings
  const best = Math.max(...tuning.trials.map((trial) => lastOf(trial)?.value ?? -Infinity))
  return [
    rung === null
      ? role === 'defaults'
        ? 'defaults'
        : `solving ${modelLabel(settings.model)}`
      : `${bracket > 0 ? `bracket ${bracket + 1}, ` : ''}rung ${rung + 1}/${tuning.brackets[bracket]!.length}, trial ${place + 1}/${of}`,
    ...(record && role !== 'solved' ? [`epoch ${formatCount(record.epoch)}/${formatCount(epochs)}`] : []),
    ...(Number.isFinite(best)
      ? [`best ${tuning.by === 'lower-bound' ? 'bound' : `NDCG@${k}`} ${formatScore(best)}`]
      : []),
    ...(rung === null ? [] : [`${Math.floor(100 * share)} % done`]),
    ...(secondsLeft === undefined ? [] : [`${duration(secondsLeft)} left`]),
  ]
    .join(', ')
    .slice(0, WIDTH - 1)
}
