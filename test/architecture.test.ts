import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ESTIMATORS } from '../src/estimate/estimators/index.js'
import { INTERVALS } from '../src/estimate/intervals/index.js'
import { FORMATS } from '../src/log/formats/index.js'
import { BASELINES } from '../src/model/baselines.js'
import { PROPENSITIES } from '../src/propensity/choices.js'
import { DIALECTS } from '../src/sql/dialects/index.js'
import { LOSSES } from '../src/train/losses/index.js'
import { REGULARISERS } from '../src/train/regularisers.js'
import { root } from './markdown-pages.js'
import { ROOMS } from './rooms.js'

const page = join(root, 'ARCHITECTURE.md')
const text = readFileSync(page, 'utf8')

/** The files of a room that are built and written by hand. */
function filesOf(room: string): number {
  const folder = join(root, 'src', room)
  return readdirSync(folder, { recursive: room !== '.', encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/(^|\/)(example-|binary-)/.test(name) && !name.endsWith('.test.ts'),
  ).length
}

/** The sentence about how many there are of each thing. */
const kinds = (): string =>
  `There are ${ESTIMATORS.all.length} estimators, ${INTERVALS.all.length} intervals, ${LOSSES.all.length} losses, ` +
  `${REGULARISERS.all.length} regularisers, ${PROPENSITIES.all.length} stand-ins for propensities, ` +
  `${FORMATS.all.length} formats, ${BASELINES.all.length} baselines and ${DIALECTS.length} SQL dialects.`

// `npm run docs` writes the counts anew.
it('the page about the architecture counts right', async () => {
  const counted = text
    .replaceAll(/^\| `([a-z.]+)` \| \d+ \|/gm, (_, room: string) => `| \`${room}\` | ${filesOf(room)} |`)
    .replace(/^There are \d+ estimators.*$/m, kinds())
  await expect(counted).toMatchFileSnapshot(page)
})

it('and lists every room, from the ground up', () => {
  const listed = [...text.matchAll(/^\| `([a-z.]+)` \| \d+ \|/gm)].map(([, room]) => room)
  expect(listed).toEqual(ROOMS)
})

it('and the files it names are there', () => {
  const places = [
    'src/sql',
    '',
    'src',
    'src/estimate',
    'src/train',
    'src/kernels',
    'src/log',
    'src/propensity',
    'study/src',
  ]
  const named = [...text.matchAll(/`([\w./-]+\.(?:ts|mjs|md|js))`/g)].map(([, name]) => name!)
  const missing = named.filter(
    (name) =>
      !name.includes('*') &&
      !places.some((place) => existsSync(join(root, place, name))) &&
      !existsSync(join(root, 'studio/src', name)),
  )
  expect(missing.filter((name) => name.includes('/'))).toEqual([])
})
