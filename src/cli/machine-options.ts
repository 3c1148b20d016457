import { availableParallelism } from 'node:os'
import { HindcastError } from '../error.js'
import { BACKENDS } from '../kernels/backends.js'
import type { TrainInFolderOptions } from '../node/train-in-folder.js'
import type { Arguments, Context } from './command.js'
import { oneOf, wholeNumber } from './parse.js'

/** The hardware to train on. */
export type Machine = Pick<TrainInFolderOptions, 'backend' | 'threads'>

export function machineOf(args: Arguments, context: Context): Machine {
  const backend = oneOf(args, 'backend', BACKENDS)
  const threads = threadsOf(args, context)
  return { ...(backend && { backend }), ...(threads !== undefined && { threads }) }
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
