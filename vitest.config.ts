import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { sources } from './sources.config.js'

export default defineConfig({
  resolve: { alias: sources },
  test: {
    include: ['src/**/*.test.ts', 'study/**/*.test.ts', 'studio/**/*.test.ts', 'test/**/*.test.ts'],
    // Engines that npm cannot install have a command of their own: npm run test:engines.
    exclude: [...configDefaults.exclude, 'test/engines/**'],
    setupFiles: ['test/fixed-seed.ts'],
    // Many tests wait for programs and browsers that they started: one file more than there are cores.
    maxWorkers: availableParallelism() + 1,
    // No test leaves anything behind in a module, so files need not load them anew.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
