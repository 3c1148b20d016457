import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, userPages } from './markdown-pages.js'

const pages = new Map<string, string>()
for (const page of [
  ...(await userPages()),
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'bench/README.md',
])
  pages.set(page, withoutCode(await readFile(join(root, page), 'utf8')))

describe('links', () => {
  it.each([...pages.keys()])('of %s lead somewhere', (page) => {
    expect(linksOf(page).filter((link) => !isThere(link))).toEqual([])
  })

  it('lead from the index to every page of docs', () => {
    const reached = new Set(['docs/README.md'])
    for (const page of reached)
      for (const { file } of linksOf(page)) if (pages.has(file) && file.startsWith('docs/')) reached.add(file)
    expect([...pages.keys()].filter((page) => page.startsWith('docs/') && !reached.has(page))).toEqual([])
  })
})

describe('anchors', () => {
  it('are those of GitHub', () => {
    const anchors = [...anchorsOf('# Choosing λ\n## `ips-bpr`\n## What it is, and why\n## `ips-bpr`\n')]
    expect(anchors).toEqual(['choosing-λ', 'ips-bpr', 'what-it-is-and-why', 'ips-bpr-1'])
  })
})

interface Link {
  /** Path from the root. */
  readonly file: string
  readonly anchor?: string
}

/** The links of a page to files of the repository, pictures too. */
function linksOf(page: string): Link[] {
  return [...pages.get(page)!.matchAll(/\]\(([^()\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : normalize(join(dirname(page), path))
      return anchor === undefined ? { file } : { file, anchor }
    })
}

function isThere({ file, anchor }: Link): boolean {
  if (!existsSync(join(root, file))) return false
  if (anchor === undefined) return true
  return anchorsOf(pages.get(file) ?? '').has(anchor)
}

/** The anchors of the headings of a page, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of text.matchAll(/^#+ (.*)$/gm)) {
    const anchor = heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    let unique = anchor
    for (let k = 1; anchors.has(unique); k++) unique = `${anchor}-${k}`
    anchors.add(unique)
  }
  return anchors
}

/** Markdown without its blocks of code, in which `#` begins no heading and brackets make no link. */
function withoutCode(text: string): string {
  return text.replaceAll(/^```[^]*?^```$/gm, '')
}
