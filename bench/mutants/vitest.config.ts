import { fileURLToPath } from 'node:url'
import { defineConfig, mergeConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import project from '../../vitest.config.ts'
import { ROOMS } from './rooms.mjs'

const room = process.env['HINDCAST_MUTANTS_ROOM'] ?? ''

/** A mutant's tests end with the first that fails: the quick ones come first. */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toReversed()
  }
}

/** The tests of one room, which HINDCAST_MUTANTS_ROOM names. */
export default mergeConfig(
  { ...project, test: { ...project.test, include: [] } },
  defineConfig({
    root: fileURLToPath(new URL('../..', import.meta.url)),
    test: {
      include: [`src/${room}/**/*.test.ts`, ...(ROOMS[room]?.reached ?? [])],
      setupFiles: ['bench/mutants/skip-slow.ts'],
      sequence: { sequencer: QuickestFirst },
    },
  }),
)
