import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const study = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(study, '..', 'package.json'), 'utf8')) as {
  name: string
  exports: Readonly<Record<string, unknown>>
  dependencies: Readonly<Record<string, string>>
}

/** The names by which anyone can use the package, without those that are the study's own. */
const PUBLIC = Object.keys(manifest.exports)
  .filter((name) => !/^\.\/(study\b|package\.json$)/.test(name))
  .map((name) => manifest.name + name.slice(1))
const ON_NODE = [`${manifest.name}/node`, `${manifest.name}/cli`]

const files = readdirSync(study, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const isTest = (file: string): boolean => /^test\/|\.test\.ts$/.test(file)

/** Every module that a text names: imported, exported from, loaded later, or for its effects. */
const modulesIn = (text: string): string[] =>
  Array.from(text.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)['"]([^'"]+)['"]/g), ([, name]) => name!)
const importsOf = (file: string): string[] => modulesIn(readFileSync(join(study, file), 'utf8'))

/** Whether a file of the study may use a module. */
function mayUse(file: string, name: string): boolean {
  const onNode = isTest(file) || file.startsWith('src/node/')
  if (name.startsWith('.')) {
    const used = relative(study, join(study, file, '..', name))
    return !used.startsWith('..') && (onNode || !used.startsWith('src/node/'))
  }
  if (name.startsWith('node:') || ON_NODE.includes(name)) return onNode
  return PUBLIC.includes(name) || name in manifest.dependencies || (isTest(file) && name === 'vitest')
}

describe('the study is a guest', () => {
  it('that uses its own files, the public names of the package and declared dependencies, and Node in node/ alone', () => {
    const strays = files.flatMap((file) =>
      importsOf(file)
        .filter((name) => !mayUse(file, name))
        .map((name) => `${file} uses ${name}`),
    )
    expect(strays).toEqual([])
  })

  it('whose every use of the package is seen', () => {
    expect(files.flatMap(importsOf).filter((name) => PUBLIC.includes(name)).length).toBeGreaterThan(50)
    // Bars stand for quotation marks, so that this file is not taken to use them.
    const text = 'import a from |a|\nexport * from |b|\nimport {\n c } from |c|\nimport |d|\nimport(|e|)'
    expect(modulesIn(text.replaceAll('|', "'"))).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it.each([
    ['src/run-study.ts', '../../src/estimate/evaluate.js'],
    ['src/run-study.ts', 'hindcast/estimate'],
    ['src/run-study.ts', 'hindcast/node'],
    ['src/run-study.ts', './node/study-in-folder.js'],
    ['src/run-study.ts', 'node:fs'],
    ['src/run-study.ts', 'vitest'],
    ['src/node/index.ts', '$core/error.js'],
  ])('%s may not use %s', (file, name) => {
    expect(mayUse(file, name)).toBe(false)
  })
})
