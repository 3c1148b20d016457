import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAtomically } from 'hindcast/node'
import type { KeptStep, StepStore } from '../run-study.js'

/** What a file of a kept step holds. */
interface StepFile extends KeptStep {
  /** Hash of all that fixes the result. */
  readonly key: string
}

/**
 * Keeps finished steps of a study in a folder, a file each, written whole or not at all. A step is recalled when
 * its settings are the same; one of other settings, or a file that cannot be read, is run again and replaced.
 */
export function stepFolder(folder: string): StepStore {
  const fileOf = (step: string): string => join(folder, `${step}.json`)
  return {
    async recall(step, key) {
      try {
        const kept = JSON.parse(await readFile(fileOf(step), 'utf8')) as StepFile
        return kept.key === hashed(key) ? kept : undefined
      } catch {
        return undefined
      }
    },
    async keep(step, key, { result, seconds }) {
      await mkdir(folder, { recursive: true })
      const file: StepFile = { key: hashed(key), seconds, result }
      await writeAtomically(fileOf(step), [`${JSON.stringify(file)}\n`])
    },
  }
}

const hashed = (key: string): string => createHash('sha256').update(key).digest('hex')
