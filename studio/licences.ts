import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** The page's list of licences, beside its index.html. */
const FILE = 'licences.txt'
const RULE = '-'.repeat(80)
const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i

/**
 * Writes the licences of all packages that are bundled into the page, its workers included: most ask for their
 * notice in every copy. `page` goes among the plugins of the page, `worker` among those of its workers.
 */
export function licences(root: string): { page: () => Plugin; worker: () => Plugin } {
  const folders = new Set<string>()
  const gather: Pick<Plugin, 'name'> & { generateBundle: Extract<Plugin['generateBundle'], Function> } = {
    name: 'hindcast-licences',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk')
          for (const id of Object.keys(chunk.modules)) {
            const folder = packageFolder(id)
            if (folder !== undefined) folders.add(folder)
          }
    },
  }
  return {
    worker: () => gather,
    // Workers are bundled before the page that starts them.
    page: () => ({
      ...gather,
      generateBundle(options, bundle, isWrite) {
        gather.generateBundle.call(this, options, bundle, isWrite)
        this.emitFile({ type: 'asset', fileName: FILE, source: licenceText(root, [...folders]) })
      },
    }),
  }
}

/** The folder of the package that a module belongs to; undefined for those of Hindcast and of the bundler. */
function packageFolder(module: string): string | undefined {
  const path = module.replaceAll('\\', '/')
  return /^(?!\0)(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]
}

function licenceText(root: string, folders: readonly string[]): string {
  const notices = folders.map(notice).toSorted((a, b) => (a < b ? -1 : 1))
  const own = readFileSync(join(root, 'LICENSE'), 'utf8').trim()
  return [
    `This page contains Hindcast and the packages below, each under its own licence.`,
    ...new Set(notices),
    `Hindcast\n\n${own}`,
  ].join(`\n\n${RULE}\n\n`)
}

/** Name, version, licence and its text, as the package gives them. */
function notice(folder: string): string {
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as { name: string; version: string; license?: string; author?: string | { name: string } }
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => LICENCE_FILE.test(file)) : []
  const by = typeof author === 'object' ? author.name : author
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  if (license === undefined && texts.length === 0)
    throw new Error(`${name} has no licence: it cannot be bundled.`)
  const head = [`${name} ${version}`, license, texts.length === 0 && by ? `by ${by}` : undefined]
  return [head.filter(Boolean).join(', '), ...texts].join('\n\n')
}
