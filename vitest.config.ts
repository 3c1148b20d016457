import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { sources } from './sources.config.js'

/** Files that start programs and browsers go first; the many short ones that are left keep all cores busy to the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/test/')
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  resolve: { alias: sources },
  test: {
    include: ['src/**/*.test.ts', 'study/**/*.test.ts', 'studio/**/*.test.ts', 'test/**/*.test.ts'],
    // Engines that npm cannot install have a command of their own: npm run test:engines.
    exclude: [...configDefaults.exclude, 'test/engines/**'],
    setupFiles: ['test/fixed-seed.ts', 'test/equal-arrays.ts'],
    // Many tests wait for programs and browsers that they started: one file more than there are cores.
    maxWorkers: availableParallelism() + 1,
    // No test leaves anything behind in a module, so files need not load them anew.
    isolate: false,
    sequence: { sequencer: LongFirst },
    testTimeout: 60_000,
    // Pages that are looked at again and again until something is so may be slow on a busy machine.
    expect: { poll: { timeout: 50_000 } },
    hookTimeout: 60_000,
  },
})
