// Prints the tables of docs/coverage.md about kinds of intervals from bench/results/coverage-intervals.json.
import { readFileSync } from 'node:fs'

const { cells } = JSON.parse(
  readFileSync(new URL('../results/coverage-intervals.json', import.meta.url), 'utf8'),
)

const share = (value) => (value === null || value === undefined ? '–' : value.toFixed(3).replace(/^0/, ''))
const cell = ({ intervals }, name) => share(intervals[name]?.coverage)
const withWidth = ({ intervals }, name) => {
  const { coverage, width } = intervals[name]
  return `${share(coverage)} (${Number(width.toPrecision(2))})`
}
const where = ({ meanReward, essRatio, rows, rowsPerUser }) =>
  `${meanReward} | ${essRatio} | ${rowsPerUser === 1 ? `${rows} rows` : `${rows / rowsPerUser} users × ${rowsPerUser}`}`
const table = (head, row) =>
  console.log(
    [head, head.replace(/[^|]+/g, ' --- ').trim(), ...cells.map(row)]
      .map((line) => `| ${line} |`)
      .join('\n') + '\n',
  )

table('reward | ESS/n | log | `auto` | row-wise normal | fixed denominator', (one) =>
  [where(one), ...['auto', 'row normal', 'fixed denominator'].map((name) => withWidth(one, name))].join(
    ' | ',
  ),
)
const others = ['logit-t', 't', 'normal', 'cressie-read', 'bootstrap 50', 'bootstrap', 'bca', 'sequence']
const more = ['ips auto', 'ips bernstein', 'ips hoeffding', 'difference']
table(`reward | ESS/n | log | ${[...others, ...more].join(' | ')}`, (one) =>
  [where(one), ...[...others, ...more].map((name) => cell(one, name))].join(' | '),
)
