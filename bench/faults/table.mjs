// Prints the tables of docs/doctor.md from bench/results/faults.json.
import { readFileSync } from 'node:fs'

const { faults, sound, soundRows } = JSON.parse(
  readFileSync(new URL('../results/faults.json', import.meta.url), 'utf8'),
)
const sizes = Object.keys(faults[0].bySize)
const thousands = (number) => Number(number).toLocaleString('en-US')
const share = (count, logs) =>
  count === logs ? 'all' : count === 0 ? '–' : `${Math.round((100 * count) / logs)} %`
const cells = (bySize, who) => sizes.map((rows) => share(bySize[rows][who], bySize[rows].logs))
const line = (columns) => console.log(`| ${columns.join(' | ')} |`)

const heads = (who) => sizes.map((rows) => `${who}, ${thousands(rows)} rows`)
const columns = ['planted fault', 'finding', ...heads('doctor'), ...heads('quick checks')]
line(columns)
line(columns.map(() => '---'))
for (const { name, codes, bySize } of faults) {
  // The three findings of balance are alternatives: the first that is made is reported.
  const finding = codes.includes('balance-by-time')
    ? 'one of balance'
    : codes.map((code) => `\`${code}\``).join(', ')
  line([name, finding, ...cells(bySize, 'doctor'), ...cells(bySize, 'evaluation')])
}
const total = (who) => sound.reduce((sum, kind) => sum + kind[who], 0)
console.log(
  `\nOf ${thousands(total('logs'))} sound logs of ${thousands(soundRows)} rows (${sound.length} kinds), the doctor accuses ${total('doctor')} and the quick checks would lower the verdict of ${total('evaluation')}: ${sound.map(({ name }) => name).join(', ')}.`,
)
