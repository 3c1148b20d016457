import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './markdown-pages.js'

it('the page of the studio comes with the notice of every package in it', async () => {
  const text = await readFile(join(root, 'dist/studio/licences.txt'), 'utf8')
  const [about, ...notices] = text.split(`\n\n${'-'.repeat(80)}\n\n`)
  expect(about).toMatch(/^This page contains Hindcast/)
  const names = notices.map((notice) => notice.split(/[ \n]/, 1)[0])
  // Of the page itself, of what its workers load, and of packages that those bring along.
  expect(names).toEqual(
    expect.arrayContaining(['svelte', '@observablehq/plot', 'd3-array', 'hyparquet', 'fzstd', 'Hindcast']),
  )
  for (const notice of notices)
    expect(notice, notice.slice(0, 60)).toMatch(/copyright|permission|licen[cs]e/i)
})
