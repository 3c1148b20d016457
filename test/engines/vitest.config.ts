import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { sources } from '../../sources.config.js'

/** The quick engines first: where time is short, the slowest is the one that is cut. */
const ORDER = ['clickhouse', 'spark', 'trino'] as const

class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number =>
      ORDER.findIndex((engine) => moduleId.includes(`${engine}.test`))
    return files.toSorted((a, b) => place(a) - place(b))
  }
}

/** Tests against engines that npm cannot install: `npm run test:engines`. One engine at a time: each wants gigabytes. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { alias: sources },
  test: {
    include: ['test/engines/*.test.ts'],
    setupFiles: ['test/fixed-seed.ts'],
    fileParallelism: false,
    maxWorkers: 1,
    isolate: false,
    sequence: { sequencer: QuickFirst },
    testTimeout: 300_000,
    hookTimeout: 900_000,
  },
})
