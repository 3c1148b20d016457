// The main job: simulate the toy world, describe it, write its report. Run by `npm start`.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeLog, toyWorld } from '../dist/index.js'
import { writeLogFile, writeLogReport } from '../dist/node/index.js'
import { descriptionText } from '../dist/cli/description-text.js'
import { processTerminal } from '../dist/cli/terminal.js'

const out = fileURLToPath(new URL('../out', import.meta.url))
mkdirSync(out, { recursive: true })
const file = join('out', 'toy.csv')
const report = join('out', 'toy.html')

const world = toyWorld({ seed: 7 })
const log = world.draw()
const description = describeLog(log)
await writeLogFile(join(out, 'toy.csv'), log)
await writeLogReport(join(out, 'toy.html'), {
  title: 'The toy world',
  log,
  description,
  settings: {
    world: 'toy',
    seed: world.seed,
    users: world.userIds.length,
    items: world.itemIds.length,
    exposures: 5,
  },
})

const terminal = processTerminal()
terminal.print(descriptionText('The toy world, seed 7', description, terminal))
terminal.print()
terminal.print(`Log     ${file}`)
terminal.print(`Report  ${report}   (open it in a browser)`)
terminal.print(`Next    npx hindcast doctor ${file}`)
terminal.print('        npx hindcast --help')
