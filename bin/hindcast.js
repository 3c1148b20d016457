#!/usr/bin/env node
import { existsSync } from 'node:fs'

const program = new URL('../dist/cli/index.js', import.meta.url)
if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`hindcast needs Node 20 or newer; this is ${process.versions.node}.`)
  process.exitCode = 2
} else if (!existsSync(program)) {
  console.error('hindcast has not been built yet. Run: npm run build')
  process.exitCode = 2
} else {
  const { COMMANDS, main } = await import(program.href)
  const { studyCommand } = await import('../dist/study/node/command.js')
  const studio = COMMANDS.findIndex(({ name }) => name === 'studio')
  await main(process.argv.slice(2), COMMANDS.toSpliced(studio, 0, studyCommand))
}
