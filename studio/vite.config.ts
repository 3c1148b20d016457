import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'
import { sources } from '../sources.config.js'
import { firstPage } from './first-page.js'
import { licences } from './licences.js'
import { madeAtBuild } from './made-at-build.js'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const { version } = JSON.parse(readFileSync(here('../package.json'), 'utf8')) as { version: string }

const notices = licences(here('..'))

/** The page: relative addresses, so that any folder of any static host will do. */
export default defineConfig({
  root: here('.'),
  base: './',
  plugins: [
    svelte({ configFile: here('svelte.config.js') }),
    madeAtBuild(here('src/views/start/first-look.ts')),
    notices.page(),
  ],
  define: {
    __VERSION__: JSON.stringify(version),
    // Plot moves marks by half a pixel on screens of low density; pages saved here have the bytes of the command line's.
    'window.devicePixelRatio': '2',
  },
  resolve: { alias: sources },
  worker: {
    format: 'es',
    plugins: () => [notices.worker()],
    // The worker trains, so it has all models at hand; what is imported when asked for is so for the sake of the page.
    rolldownOptions: { checks: { pluginTimings: false, ineffectiveDynamicImport: false } },
  },
  build: {
    outDir: here('../dist/studio'),
    emptyOutDir: true,
    target: 'es2022',
    // Preloading a chunk names it in an inline style of attributes that a strict policy would refuse.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // How long plugins take is of no interest to whoever installs.
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: { codeSplitting: { groups: [{ name: firstPage(here('index.html')) }] } },
    },
  },
})
