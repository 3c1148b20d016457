import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import type { OfferedLog } from './offer-log.js'

/** Not on Windows, where links need a privilege. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0

/** The log with links resolved: what the user named at the start is what is served. */
export const resolvedLog = async (log: OfferedLog): Promise<OfferedLog> => ({
  ...log,
  path: await realpath(log.path),
})

/**
 * Opens the log under its resolved path. Undefined if it has gone, or if it or one of its folders has become a link
 * since: a link may lead anywhere.
 */
export async function openOffered({ path }: OfferedLog): Promise<FileHandle | undefined> {
  const file = await open(path, constants.O_RDONLY | NO_FOLLOW).catch(() => undefined)
  const isSame = async (): Promise<boolean> =>
    (await realpath(path).catch(() => '')) === path && (await file!.stat()).isFile()
  if (!file || (await isSame())) return file
  await file.close()
  return undefined
}
