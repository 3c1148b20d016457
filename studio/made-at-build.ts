import { type Plugin, runnerImport } from 'vite'
import { sources } from '../sources.config.js'

/** Runs a module while the page is built: the page gets what it exports by default, and nothing of how that was made. */
export const madeAtBuild = (path: string): Plugin => ({
  name: 'hindcast-made-at-build',
  async load(id) {
    if (id !== path) return undefined
    const { module } = await runnerImport<{ default: unknown }>(path, {
      configFile: false,
      logLevel: 'error',
      resolve: { alias: sources },
    })
    return `export default ${JSON.stringify(module.default)}`
  },
})
