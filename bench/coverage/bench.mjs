// How often trusted intervals contain the true value, over families of simulated logs (docs/coverage.md).
//   npm run bench -- coverage                              everything, 2,000 logs per cell, saved
//   node bench/coverage/bench.mjs --logs 100               a quick look, not saved
//   node bench/coverage/bench.mjs --family days,revenue --cells "sd 0.4"
//   node bench/coverage/bench.mjs --list                   the families and their cells
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { FAMILIES } from './families/index.mjs'
import { estimatorsOf } from './measure.mjs'
import { runTasks } from './pool.mjs'
import { addTallies, summaryOf } from './tally.mjs'
import { resultLines } from './text.mjs'

/** Logs measured by a thread before it reports. */
const CHUNK = 100

/** Coverage by verdict, in every cell of the chosen families. */
export async function bench({ logs = 2000, threads = 2, families = FAMILIES, isChosen = () => true } = {}) {
  const started = performance.now()
  const chosen = families.flatMap((family) =>
    family.cells.flatMap((cell, place) =>
      isChosen(cell) && estimatorsOf(family, cell).length > 0
        ? { family: family.name, cell: place, most: Math.min(logs, family.mostLogs ?? logs) }
        : [],
    ),
  )
  // Every cell in turn, again and again, so that the time left is known early.
  const tasks = []
  for (let from = 0; from < logs; from += CHUNK)
    for (const { most, ...one } of chosen)
      if (from < most) tasks.push({ ...one, from, to: Math.min(most, from + CHUNK) })
  const measured = await runTasks(tasks, threads)
  const found = families.flatMap((family) => {
    const cells = family.cells.flatMap((cell, place) => {
      const parts = tasks.flatMap((task, t) =>
        task.family === family.name && task.cell === place ? [measured[t]] : [],
      )
      if (parts.length === 0) return []
      const tallies = parts.reduce((sum, { tallies }) => addTallies(sum, tallies), {})
      const milliseconds =
        parts.reduce((sum, part) => sum + part.milliseconds, 0) / Math.min(logs, family.mostLogs ?? logs)
      return {
        name: cell.name,
        millisecondsPerLog: Number(milliseconds.toPrecision(3)),
        estimators: Object.fromEntries(
          Object.entries(tallies).map(([name, tally]) => [name, summaryOf(tally)]),
        ),
      }
    })
    const { name, title, use, doubt } = family
    return cells.length === 0 ? [] : { name, title, use, ...(doubt !== undefined && { doubt }), cells }
  })
  const seconds = Math.round((performance.now() - started) / 1000)
  for (const line of resultLines(found)) console.log(line)
  console.log(`${logs} logs per cell on ${threads} thread${threads === 1 ? '' : 's'}: ${seconds} s`)
  return { logs, threads, seconds, families: found, results: {} }
}

/** The families with these names, all of them without any. */
function familiesNamed(names) {
  if (names === undefined) return FAMILIES
  return names.split(',').map((name) => {
    const family = FAMILIES.find((one) => one.name === name)
    if (family) return family
    throw new Error(`There is no family ${name}. Choose from ${FAMILIES.map((one) => one.name).join(', ')}.`)
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      logs: { type: 'string', default: '100' },
      threads: { type: 'string', default: '2' },
      family: { type: 'string' },
      cells: { type: 'string' },
      save: { type: 'string' },
      list: { type: 'boolean' },
    },
  })
  const families = familiesNamed(values.family)
  if (values.list)
    for (const { name, title, use, cells } of families)
      console.log([`${name} (${use}): ${title}`, ...cells.map((cell) => `  ${cell.name}`)].join('\n'))
  else {
    const measured = await bench({
      logs: Number(values.logs),
      threads: Number(values.threads),
      families,
      isChosen: ({ name }) => values.cells === undefined || name.includes(values.cells),
    })
    if (values.save) writeFileSync(values.save, `${JSON.stringify(measured, null, 2)}\n`)
  }
}
