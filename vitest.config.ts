import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { $core: fileURLToPath(new URL('src', import.meta.url)) } },
  test: {
    include: ['src/**/*.test.ts', 'studio/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['test/fixed-seed.ts'],
    testTimeout: 30_000,
  },
})
