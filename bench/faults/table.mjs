// Prints the tables of docs/doctor.md from bench/results/faults.json.
import { readFileSync } from 'node:fs'

const { faults, sound } = JSON.parse(readFileSync(new URL('../results/faults.json', import.meta.url), 'utf8'))
const sizes = Object.keys(faults[0].bySize)
const share = (count, logs) =>
  count === logs ? 'all' : count === 0 ? '–' : `${Math.round((100 * count) / logs)} %`
const cells = (bySize, who) => sizes.map((rows) => share(bySize[rows][who], bySize[rows].logs)).join(' | ')

console.log(
  `| planted fault | finding | doctor: ${sizes.map((rows) => Number(rows).toLocaleString('en-US')).join(' | ')} rows | evaluation: ${sizes.map((rows) => Number(rows).toLocaleString('en-US')).join(' | ')} rows |`,
)
console.log(`|${' --- |'.repeat(2 + 2 * sizes.length)}`)
for (const { name, codes, bySize } of faults) {
  const named = codes.length > 1 ? codes.slice(0, 1) : codes
  console.log(`| ${name} | \`${named[0]}\` | ${cells(bySize, 'doctor')} | ${cells(bySize, 'evaluation')} |`)
}
const total = (who) => sound.reduce((sum, kind) => sum + kind[who], 0)
console.log(
  `\n${sound.length} kinds, ${total('logs')} logs, accused ${total('doctor')}, lowered ${total('evaluation')}`,
)
