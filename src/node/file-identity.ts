import { fstatSync } from 'node:fs'
import { stat } from 'node:fs/promises'

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
