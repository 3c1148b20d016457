#!/usr/bin/env node
import { existsSync } from 'node:fs'

const program = new URL('../dist/cli/main.js', import.meta.url)
if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`hindcast needs Node 20 or newer; this is ${process.versions.node}.`)
  process.exitCode = 2
} else if (!existsSync(program)) {
  console.error('hindcast has not been built yet. Run: npm run build')
  process.exitCode = 2
} else {
  const { main } = await import(program.href)
  await main(process.argv.slice(2))
}
