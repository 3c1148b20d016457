import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandLine, commandWords } from './command-line.js'

describe('commandWords', () => {
  it('gives each option its value, and none to those without', () => {
    expect(commandWords('train', 'log.csv', { out: 'model', 'no-baselines': true })).toEqual([
      'train',
      'log.csv',
      '--out',
      'model',
      '--no-baselines',
    ])
  })

  it('keeps values that begin with a hyphen apart from options', () => {
    expect(commandWords('describe', '-odd.csv', { skew: '-2' })).toEqual([
      'describe',
      './-odd.csv',
      '--skew=-2',
    ])
    expect(commandWords('describe', '-', {})).toEqual(['describe', '-'])
  })
})

describe('commandLine', () => {
  it('leaves plain words as they are', () => {
    expect(commandLine(['evaluate', 'a/log.csv', '--target', 'model:runs/a@0.5'])).toBe(
      'hindcast evaluate a/log.csv --target model:runs/a@0.5',
    )
  })

  it('is parsed by a shell into the words it was made from', () => {
    const word = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'))
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 100 }), (words) => {
        const script = `hindcast() { printf '%s\\0' "$@"; }; ${commandLine(words)}`
        const read = execFileSync('sh', ['-c', script], { encoding: 'utf8' })
        expect(read).toBe(words.map((each) => `${each}\0`).join(''))
      }),
      { numRuns: 20 },
    )
  })
})
