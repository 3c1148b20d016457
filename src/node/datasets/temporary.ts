import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'

const pattern = /^\..+\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/
const day = 24 * 60 * 60 * 1000

/** A unique hidden name in the folder of `target`, so that the finished file can be renamed in one step. */
export function temporaryBeside(target: string): string {
  return path.join(path.dirname(target), `.${path.basename(target)}.${randomUUID()}.part`)
}

/** Removes a temporary file or folder, if any; never fails, so that it does not hide the original error. */
export async function discard(temporary: string): Promise<void> {
  await rm(temporary, { recursive: true, force: true }).catch(() => {})
}

/** Removes what a killed process left under temporary names in a folder more than a day ago. */
export async function sweepTemporary(folder: string, now: number = Date.now()): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    if (!pattern.test(name)) continue
    const file = path.join(folder, name)
    const modified = await stat(file).then(
      (found) => found.mtimeMs,
      () => now,
    )
    if (now - modified > day) await discard(file)
  }
}
