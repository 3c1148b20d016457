import { HindcastError } from '../error.js'
import { fstatSync } from 'node:fs'
import { stat } from 'node:fs/promises'

/** The files read so far, by identity, with the name each was read by; undefined while nothing is protected. */
let inputs: Map<FileIdentity, string> | undefined

/**
 * Until what is returned is called, `writeAtomically` writes over no file that was read since. The command line asks
 * for it; a program that uses the library may read a log and write its replacement.
 */
export function protectInputs(): () => void {
  inputs = new Map()
  return () => (inputs = undefined)
}

/** Remembers a file that is read. */
export async function noteInput(path: string): Promise<void> {
  if (!inputs) return
  const identity = await identityOf(path)
  if (identity !== undefined) inputs.set(identity, path)
}

/** Throws if the path leads to a file that was read and is protected. */
export async function refuseInput(path: string): Promise<void> {
  const identity = inputs && (await identityOf(path))
  const name = identity === undefined ? undefined : inputs?.get(identity)
  if (name !== undefined) throw ontoInput(path, path, name)
}

/** The error about an output that would replace an input. `output` is what asked for it: an option, or the path. */
export const ontoInput = (output: string, path: string, input: string): HindcastError =>
  new HindcastError(
    'bad-option',
    path === input
      ? `${output} would replace ${input}, which this command reads.`
      : `${output} would replace ${input}, which this command reads: ${path} is the same file.`,
    { remedy: 'Nothing was written there. Choose another name.' },
  )

/** What tells a file or folder from all others, whatever it is called: its device and inode, as text. */
export type FileIdentity = string

/** The identity of the file that a path leads to, through links too; undefined where there is none. */
export async function identityOf(path: string): Promise<FileIdentity | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined)
  return found && `${found.dev}:${found.ino}`
}

/** The identity of the file behind an open stream such as standard input (0); undefined for pipes and terminals. */
export function identityOfOpen(descriptor: number): FileIdentity | undefined {
  try {
    const found = fstatSync(descriptor, { bigint: true })
    return found.isFile() ? `${found.dev}:${found.ino}` : undefined
  } catch {
    return undefined
  }
}
