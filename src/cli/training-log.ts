import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { HindcastError } from '../error.js'
import { given } from '../given.js'
import { BACKENDS } from '../kernels/backends.js'
import type { Log } from '../log/log.js'
import type { TrainInFolderOptions } from '../node/train-in-folder.js'
import type { LogCounts } from '../node/warehouse/count-log.js'
import { formatCount } from '../number-text.js'
import type { ReadLog } from '../read/plan.js'
import { settingsFor } from '../train/settings-for.js'
import type { TestLog } from '../train/test-log.js'
import type { TrainChoices } from '../train/train-on-log.js'
import type { Training } from '../train/training.js'
import type { Arguments, Context } from './command.js'
import { withNamedColumns } from './evaluate-options.js'
import { wrap } from './format.js'
import { logNamed, nameOfLog } from './join-options.js'
import { readNamedLog } from './log-options.js'
import { oneOf, text, wholeNumber } from './parse.js'

/** Reads the log that a command trains on, and the folder that it writes to; what training takes is said before rows of a warehouse cross. */
export async function readTrainingLog(
  command: 'train' | 'tune',
  { choices, machine }: { readonly choices: TrainChoices; readonly machine: Machine },
  args: Arguments,
  context: Context,
): Promise<{ out: string; read: ReadLog }> {
  const path = logNamed(args, command)
  const out = text(args, 'out')
  if (out === undefined)
    throw new HindcastError('bad-option', `hindcast ${command} needs --out DIR.`, {
      remedy: `For example: hindcast ${command} ${nameOfLog(path)} --out model`,
    })
  const target = text(args, 'weight-target') ?? 'uniform'
  // Losses without weights need no propensities, so a log without any is fine.
  const read = await readNamedLog(path, withNamedColumns(target, args), context, {
    propensityOptional: true,
    onCounted: (counts) => sayMemory(nameOfLog(path), counts, choices, machine, context),
  })
  return { out, read }
}

/** A log in a warehouse may be larger than memory: what training takes is said before rows cross, and refused if it cannot fit. */
async function sayMemory(
  name: string,
  counts: LogCounts,
  { settings, split = {} }: TrainChoices,
  { backend = 'auto' }: Machine,
  { terminal }: Context,
): Promise<void> {
  const [{ requireMemory, trainingMemory }, { availableMemory }, { mayHaveGpu }] = await Promise.all([
    import('../train/training-memory.js'),
    import('../node/memory-share.js'),
    import('../node/webgpu-device.js'),
  ])
  const { validation = 0.1, test = 0.1 } = split
  const memory = trainingMemory(counts, settingsFor(true, settings), 1 - validation - test)
  const place = { backend, mayHaveGpu: mayHaveGpu(), available: availableMemory() }
  terminal.note(wrap(requireMemory(name, counts, memory, place)))
}

/** Weights are only as good as the propensities, and models as the rewards: what speaks against them is said before training. */
export async function sayFindings(log: Log, { terminal }: Context): Promise<void> {
  const { checkFindings, joinFindings } = await import('../doctor/verdict-findings.js')
  terminal.status(`examining ${formatCount(log.rows)} rows …`)
  const found = [...(log.join ? joinFindings(log.join) : []), ...(await checkFindings(log))]
  terminal.status('')
  for (const { level, seen, why } of found) if (level === 'problem') terminal.note(wrap(`${seen} ${why}`))
}

/** The uniformly random log, with the ids of the training log. */
export async function readUnbiased(args: Arguments, log: Log, context: Context): Promise<Log | undefined> {
  const path = text(args, 'unbiased')
  if (path === undefined) return undefined
  const { counted } = await import('../number-text.js')
  const aligned = await readAligned(path, args, log, context)
  if (aligned.leftOut > 0)
    context.terminal.note(
      `Skipped ${counted(aligned.leftOut, 'row')} of ${path}: users or items that are not in the training log.`,
    )
  return aligned.log
}

/** The log to test on, with the ids of the training log. */
export async function readTestLog(args: Arguments, log: Log, context: Context): Promise<TestLog | undefined> {
  const among = oneOf(args, 'test-among', ['all', 'rated'])
  const path = text(args, 'test-log')
  if (path === undefined) {
    if (among !== undefined)
      throw new HindcastError('bad-option', '--test-among needs --test-log.', {
        remedy: 'Give the log to test on: --test-log FILE.',
      })
    return undefined
  }
  const aligned = await readAligned(path, args, log, context)
  return { log: aligned.log, unknownRows: aligned.leftOut, ...(among && { among }) }
}

/** A log in the layout of the training log, with its ids; rows of others are left out. */
async function readAligned(
  path: string,
  args: Arguments,
  log: Log,
  context: Context,
): Promise<{ log: Log; leftOut: number }> {
  const { alignLog } = await import('../log/align.js')
  const values = { ...args.values, propensity: 'none', 'propensity-floor': undefined, glob: undefined }
  const read = await readNamedLog(path, { ...args, values }, context)
  return alignLog(read.log, log)
}

/** The hardware to train on. */
export type Machine = Pick<TrainInFolderOptions, 'backend' | 'threads'>

export function machineOf(args: Arguments, context: Context): Machine {
  return given({ backend: oneOf(args, 'backend', BACKENDS), threads: threadsOf(args, context) })
}

function threadsOf(args: Arguments, { terminal }: Context): number | undefined {
  const threads = wholeNumber(args, 'threads')
  if (threads === 0)
    throw new HindcastError('bad-option', '--threads 0 leaves no thread to train on.', {
      remedy: 'Use at least --threads 1.',
    })
  const cores = availableParallelism()
  if (threads !== undefined && threads > cores)
    terminal.note(`This machine has ${cores} cores, so training uses ${cores} threads, not ${threads}.`)
  return threads
}

/** Writes the page about a training, beside its model unless it was to be elsewhere; returns where it is. */
export async function writeTrainingPage(
  training: Training,
  { file, estimatedPropensity }: ReadLog,
  folder: string,
  asked?: string,
): Promise<string> {
  const { REPORT_FILE } = await import('../report/training-page.js')
  const { writeTrainingReport } = await import('../node/write-report.js')
  const path = asked ?? join(folder, REPORT_FILE)
  await writeTrainingReport(path, { title: file, training, ...given({ estimatedPropensity }) })
  return path
}
