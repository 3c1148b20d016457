import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { ROOMS } from './rooms.js'
import { describe, expect, it } from 'vitest'

const source = fileURLToPath(new URL('../src', import.meta.url))

const ENTRANCES = ['index.ts']

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !/\.test\.ts$|(^|\/)example-[^/]*$/.test(file),
)
const roomOf = (file: string): string => (file.includes('/') ? file.split('/')[0]! : '.')
const importsOf = (file: string): string[] =>
  Array.from(
    readFileSync(join(source, file), 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g),
    ([, name]) => name!,
  )

describe('the rooms', () => {
  it('are all in the picture', () => {
    for (const file of files) expect(ROOMS, file).toContain(roomOf(file))
  })

  it('use only the rooms before them', () => {
    for (const file of files.filter((name) => !ENTRANCES.includes(name)))
      for (const name of importsOf(file).filter((path) => path.startsWith('.'))) {
        const used = roomOf(relative(source, join(source, file, '..', name)))
        expect(ROOMS.indexOf(used), `${file} uses ${name}`).toBeLessThanOrEqual(ROOMS.indexOf(roomOf(file)))
      }
  })

  it('import Node only in node/ and cli/', () => {
    for (const file of files.filter((name) => !['node', 'cli'].includes(roomOf(name))))
      expect(
        importsOf(file).filter((name) => /^(node:|@duckdb|linkedom)/.test(name)),
        file,
      ).toEqual([])
  })
})

describe('numbers that feed an estimate, an interval or a verdict', () => {
  const rounded = new RegExp(
    [
      /Math\.(exp|expm1|log|log1p|log2|log10|pow|cbrt|hypot|a?sinh?|a?cosh?|a?tanh?|atan2)\b/,
      // A square is a product, and a power of two is exact.
      /(?<!\b2) \*\* (?!2\b)/,
    ]
      .map(({ source: pattern }) => pattern)
      .join('|'),
  )
  // These draw, or put numbers into words.
  const free = [
    'words',
    'figures',
    'report',
    'node',
    'cli',
    'commands',
    'kernels',
    'number-text.ts',
    'portable-math.ts',
  ]

  it('come from the portable exp, log and pow alone', () => {
    for (const file of files.filter((name) => !free.some((place) => name.startsWith(place)))) {
      const lines = readFileSync(join(source, file), 'utf8').split('\n')
      expect(
        lines.filter((line) => rounded.test(line)),
        file,
      ).toEqual([])
    }
  })
})

/** The public names by which the study uses the core. */
const NAMES = {
  hindcast: join(source, 'index.ts'),
  'hindcast/train': join(source, 'train', 'index.ts'),
}

describe('the core in a browser', () => {
  it.each([
    ['src/index.ts', 110],
    ['src/train/index.ts', 60],
    ['src/figures/index.ts', 160],
    ['src/report/index.ts', 170],
    // The guest brings the core and training along.
    ['study/src/index.ts', 75],
  ])('%s bundles without Node, within %i kB of gzip', async (entry, limit) => {
    const { outputFiles, metafile } = await build({
      entryPoints: [join(source, '..', entry)],
      alias: NAMES,
      outdir: 'bundle',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'browser',
      minify: true,
      legalComments: 'none',
      metafile: true,
      write: false,
    })
    const sizes = outputFiles.map(({ path, contents }) => ({ path, gzip: gzipSync(contents).length }))
    const isEntry = (path: string): boolean => path.endsWith('/index.js')
    const first = sizes.filter(({ path }) => isEntry(path)).reduce((sum, { gzip }) => sum + gzip, 0)
    const all = sizes.reduce((sum, { gzip }) => sum + gzip, 0)
    console.log(
      `${entry}: ${(first / 1000).toFixed(1)} kB gzip at first, ${(all / 1000).toFixed(1)} kB with what loads on demand`,
    )
    const imports = Object.values(metafile.inputs).flatMap((input) => input.imports.map(({ path }) => path))
    expect(imports.filter((path) => path.startsWith('node:'))).toEqual([])
    expect(outputFiles.some(({ text }) => /from\s*["']node:/.test(text))).toBe(false)
    expect(first / 1000).toBeLessThan(limit)
  })
})
