import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { $core: fileURLToPath(new URL('src', import.meta.url)) } },
  test: {
    include: ['src/**/*.test.ts', 'studio/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['test/fixed-seed.ts'],
    // Many tests wait for programs and browsers that they started: every core is put to work.
    maxWorkers: '100%',
    // No test leaves anything behind in a module, so files need not load them anew.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
