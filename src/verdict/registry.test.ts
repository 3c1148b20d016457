import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { questionOf, REASONS } from './registry.js'

it('has one record for each reason', () => {
  const codes = REASONS.map(({ code }) => code)
  expect(new Set(codes).size).toBe(codes.length)
  expect(() => questionOf('no such')).toThrow(/No reason of a verdict is called "no such"/)
})

it('has a record for every code that a verdict is given, and none that nothing gives', () => {
  const source = fileURLToPath(new URL('..', import.meta.url))
  const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        /^(verdict|estimate|log.join)\b.*\.ts$/.test(file) &&
        !/\.test\.ts$|example-|registry\.ts$/.test(file),
    )
    .map((file) => readFileSync(`${source}${file}`, 'utf8'))
  const given = texts.flatMap((text) =>
    [...text.matchAll(/code: '([a-z-]+)'|about\(\s*'([a-z-]+)'/g)].map(([, code, about]) => code ?? about!),
  )
  const known = new Set(REASONS.map(({ code }) => code))
  expect(given.filter((code) => !known.has(code))).toEqual([])
  const all = texts.join('\n')
  expect(
    REASONS.filter(
      ({ code }) =>
        !all.includes(`'${code}'`) &&
        !all.includes(
          `\`${code.replace(/-(estimated|assumed)$/, '-').replace(/^.*(?=-not-said$)/, '${fact}')}`,
        ),
    ).map(({ code }) => code),
  ).toEqual([])
})
