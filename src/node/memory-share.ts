import { stat } from 'node:fs/promises'
import { totalmem } from 'node:os'

/** Bytes of memory per byte of the file, at most: packed columns become doubles. */
const UNPACKED: readonly (readonly [name: RegExp, times: number])[] = [
  [/\.parquet$/i, 8],
  [/\.gz$/i, 10],
]
const PLAIN = 2

/** What this process may use: a container may allow less than the machine has. */
export const availableMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity)

/** The share of this machine's memory that a log would take, estimated from the sizes of its files; undefined if one is not a file. */
export async function memoryShareOf(
  paths: string | readonly string[],
  memory = availableMemory(),
): Promise<number | undefined> {
  let bytes = 0
  for (const path of typeof paths === 'string' ? [paths] : paths) {
    const found = await stat(path).catch(() => undefined)
    if (!found?.isFile()) return undefined
    bytes += found.size * (UNPACKED.find(([name]) => name.test(path))?.[1] ?? PLAIN)
  }
  return bytes / memory
}
