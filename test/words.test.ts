import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../src/cli/commands.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const commands = await Promise.all(COMMANDS.map(({ load }) => load()))
const options = [...new Set(commands.flatMap((command) => Object.keys(command.options)))]
const FLAG = new RegExp(String.raw`(?<![\w-])--(?:${options.join('|')})(?![\w-])`)
const COMMAND = new RegExp(String.raw`\bhindcast (?:${COMMANDS.map(({ name }) => name).join('|')})\b`)

/** Files of a folder whose texts are shown: no tests, no examples. */
const filesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|svelte)$/.test(file) && !/\.test\.ts$|(^|\/)example-[^/]*$/.test(file))
    .map((file) => join(folder, file))

/** What a program says or looks for: the texts of its strings, templates and regular expressions, without comments. */
function textsIn(code: string): string[] {
  const texts: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isLiteralExpression(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      texts.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('any.ts', code, ts.ScriptTarget.Latest))
  return texts
}

/** The texts of a file; of a component, those of its script, and its markup as one. */
function textsOf(file: string, code: string): string[] {
  if (!file.endsWith('.svelte')) return textsIn(code)
  const markup = code.replace(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>|<!--[\s\S]*?-->/g, '')
  return [...code.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)]
    .flatMap(([, script]) => textsIn(script!))
    .concat(markup)
}

const naming = (words: RegExp, files: readonly string[]): string[] =>
  files.flatMap((file) => {
    const code = readFileSync(join(root, file), 'utf8')
    // Few files need to be parsed.
    const texts = words.test(code) ? textsOf(file, code) : []
    return texts.filter((text) => words.test(text)).map((text) => `${file}: ${text}`)
  })

/** `commands/` writes what to type, on purpose. */
const isEdge = (file: string): boolean => /^src\/(cli|commands)\//.test(file)

describe('the words of the command line', () => {
  const core = filesOf('src').filter((file) => !isEdge(file))

  it('are recognised', () => {
    expect(FLAG.test('Choose --propensity uniform.')).toBe(true)
    expect(FLAG.test('var(--hindcast-ink) or --propensity-scale')).toBe(false)
    expect(textsIn('// --lr\nsay(`a ${b} --lr c`, /--pr (.*)/)')).toEqual(['a ', ' --lr c', '/--pr (.*)/'])
    expect(naming(FLAG, ['src/cli/log-options.ts'])).not.toEqual([])
  })

  it('occur on the command line only: no text of the core or the studio names an option, or looks for one', () => {
    expect(naming(FLAG, [...core, ...filesOf('studio/src')])).toEqual([])
  })

  it('send nobody to a command from the library or the page', () => {
    expect(naming(COMMAND, core)).toEqual([])
  })
})

describe('advice', () => {
  /** Settings and commands in advice whose neighbours are words without a space between. */
  const clinging = (code: string): string[] =>
    [
      ...code.matchAll(
        /\w\$\{(?:set|doctor|mend|choose)\b|\$\{(?:(?:set|choose)\([^}]*\)|doctor|mend)\}\w+/g,
      ),
    ].map(([found]) => found)

  it('has spaces between settings and words', () => {
    expect(clinging("advice`Use ${set('engine', 'memory')}to see or${doctor}.`")).toHaveLength(2)
    expect(clinging("advice`Use ${set('engine', 'memory')}, or (${doctor}).`")).toEqual([])
    const files = [...filesOf('src'), ...filesOf('studio/src')]
    expect(
      files.flatMap((file) => clinging(readFileSync(join(root, file), 'utf8')).map((at) => `${file}: ${at}`)),
    ).toEqual([])
  })
})

describe('the first letter of a sentence', () => {
  it('is lowered in one place alone, which knows what may be a name', () => {
    const lowering =
      /\[0\][!?]?\.toLowerCase|charAt\(0\)\.toLowerCase|slice\(0, 1\)\.toLowerCase|\/\^\[A-Z\][^/]*\/\w*, \(?\w+\)? => \w+\.toLowerCase/
    const files = [...filesOf('src'), ...filesOf('studio/src'), ...filesOf('study/src')]
    expect(files.filter((file) => lowering.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
  })
})
