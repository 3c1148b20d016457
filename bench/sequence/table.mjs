// Prints the table of docs/intervals.md#sequence from bench/results/sequence.json.
import { readFileSync } from 'node:fs'

const { cells } = JSON.parse(readFileSync(new URL('../results/sequence.json', import.meta.url), 'utf8'))

const share = (value) => (value === null ? '–' : value.toFixed(3).replace(/^0/, ''))
const times = (width, normal) => (width === null || width === undefined ? '–' : (width / normal).toFixed(2))
const widthsOf = ({ widths = [] }) =>
  [10_000, 100_000].flatMap((rows) => {
    const { sequence, betting, normal } = widths.find((one) => one.rows === rows) ?? {}
    return [times(sequence, normal), times(betting, normal)]
  })

console.log(
  [
    'log | reward | ESS/n | 1.96 | before the fixes | `sequence` | `betting` | width at 10,000 rows: `sequence` | `betting` | at 100,000 rows: `sequence` | `betting`',
    Array.from({ length: 11 }, () => '---').join(' | '),
    ...cells.map((cell) => {
      const { naive, before, sequence, betting } = cell.falseAlarms
      const worst = Math.max(...Object.values(sequence))
      return [
        cell.kind,
        cell.meanReward,
        cell.essRatio,
        share(naive),
        share(before),
        share(worst),
        share(betting),
        ...widthsOf(cell),
      ].join(' | ')
    }),
  ]
    .map((line) => `| ${line} |`)
    .join('\n'),
)
