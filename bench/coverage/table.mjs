// Writes the tables of docs/coverage.md from bench/results/coverage.json, between their two marks.
//   node bench/coverage/table.mjs              into docs/coverage.md
//   node bench/coverage/table.mjs --print [FILE]   to the terminal
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { coverageJudged, judged, LEAST_TRUSTED } from './aim.mjs'
import { percent, share } from './text.mjs'

const MARKS = ['<!-- tables of bench/coverage/table.mjs -->', '<!-- end of tables -->']

const table = (rows) => {
  const [head, ...body] = rows
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Every pair of a cell and an estimator of a family. */
const answersOf = ({ cells }) => cells.flatMap(({ estimators }) => Object.values(estimators))

function summaryTable(families) {
  const rows = families.map((family) => {
    const answers = answersOf(family)
    const enough = answers.filter((one) => coverageJudged(one) !== null)
    const coverages = enough.map(({ trusted }) => trusted.coverage)
    const failed = answers.filter((one) => judged(family, one) === 'failed').length
    const logs = answers.reduce((sum, { all }) => sum + all.logs, 0)
    return [
      `[${family.name}](#${family.name})`,
      family.use,
      family.cells.length,
      percent(
        answers.reduce((sum, { trust }) => sum + trust, 0),
        logs,
      ),
      coverages.length === 0 ? '–' : `${share(Math.min(...coverages))} to ${share(Math.max(...coverages))}`,
      `${failed} of ${answers.length}`,
    ]
  })
  const head = ['family', 'limits', 'cells', 'trusted', 'coverage among trusted', 'outside the aim']
  return table([head, ...rows])
}

/** Of an estimator in a cell: the share trusted, coverage among them, and the mean width. */
function answerText(family, summary) {
  if (!summary) return ''
  const { trust, trusted, all } = summary
  const mark = judged(family, summary) === 'failed' ? '**' : ''
  if (trusted.coverage === null || trust < LEAST_TRUSTED * all.logs)
    return `${mark}${percent(trust, all.logs)}${mark}`
  const width = trusted.width === null ? '' : ` (${Number(trusted.width.toPrecision(2))})`
  return `${mark}${percent(trust, all.logs)}: ${share(trusted.coverage)}${width}${mark}`
}

function familyTable(family) {
  const names = [...new Set(family.cells.flatMap(({ estimators }) => Object.keys(estimators)))]
  const rows = family.cells.map(({ name, estimators }) => [
    name,
    ...names.map((estimator) => answerText(family, estimators[estimator])),
  ])
  return `### ${family.name}\n\n${family.title}. Limits: ${family.use}.\n\n${table([['cell', ...names], ...rows])}`
}

const { values, positionals } = parseArgs({
  options: { print: { type: 'boolean' } },
  allowPositionals: true,
})
const file = positionals[0] ?? new URL('../results/coverage.json', import.meta.url)
const { families } = JSON.parse(readFileSync(file, 'utf8'))
const text = [summaryTable(families), ...families.map(familyTable)].join('\n\n')
if (values.print) console.log(text)
else {
  const page = new URL('../../docs/coverage.md', import.meta.url)
  const [before, rest] = readFileSync(page, 'utf8').split(MARKS[0])
  const after = rest.split(MARKS[1])[1]
  writeFileSync(page, `${before}${MARKS[0]}\n\n${text}\n\n${MARKS[1]}${after}`)
}
