import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { sources } from '../../sources.config.js'

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
    testTimeout: 300_000,
    hookTimeout: 900_000,
  },
})
