import { formatCount } from '../number-text.js'
import type { EpochRecord } from '../train/training.js'
import { formatFixed } from '../words/estimate-text.js'
import { formatScore } from '../words/training-text.js'
import type { Terminal } from './terminal.js'

const HEIGHT = 5
const MOST_COLUMNS = 64
const EIGHTHS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** Epochs drawn in one column, and the best value among them. */
interface Column {
  from: number
  to: number
  value: number
}

/**
 * A value per epoch as columns of block characters: its largest and smallest value at the left, the epochs below,
 * the one that was kept marked. With more epochs than fit in a line, each column shows the best of several.
 * Undefined if fewer than two epochs have a value: there is nothing to draw.
 */
export function epochChart(
  epochs: readonly EpochRecord[],
  { name, value, kept }: { name: string; value(epoch: EpochRecord): number | null; kept: number },
  terminal: Terminal,
): string[] | undefined {
  const points = epochs.flatMap((epoch) => {
    const found = value(epoch)
    return found === null || !Number.isFinite(found) ? [] : [{ epoch: epoch.epoch, value: found }]
  })
  if (points.length < 2) return undefined
  const each = Math.ceil(points.length / MOST_COLUMNS)
  const columns = Array.from({ length: Math.ceil(points.length / each) }, (_, k): Column => {
    const group = points.slice(k * each, (k + 1) * each)
    return {
      from: group[0]!.epoch,
      to: group.at(-1)!.epoch,
      value: Math.max(...group.map((point) => point.value)),
    }
  })
  const values = columns.map((column) => column.value)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  // Short runs get wider columns, so that there is something to see.
  const wide = Math.max(1, Math.min(4, Math.floor(32 / columns.length)))
  // The smallest value keeps an eighth of a character, because it was measured.
  const eighths = values.map((each) =>
    most > least ? 1 + Math.round(((each - least) / (most - least)) * (HEIGHT * 8 - 1)) : HEIGHT * 4,
  )
  const isKept = columns.map(({ from, to }) => from <= kept && kept <= to)
  const labels = Array.from({ length: HEIGHT }, () => '')
  const written = formatScore(most)
  labels[most > least ? 0 : HEIGHT >> 1] = written
  if (most > least) labels[HEIGHT - 1] = formatFixed(least, written.length - written.indexOf('.') - 1)
  const left = Math.max(...labels.map((label) => label.length))
  const rows = labels.map((label, row) => {
    const drawn = eighths.map((height, k) => {
      const letter = EIGHTHS[Math.min(8, Math.max(0, height - (HEIGHT - 1 - row) * 8))]!.repeat(wide)
      return letter.trim() === '' ? letter : terminal.style(isKept[k] ? 'green' : 'blue', letter)
    })
    return `  ${label.padStart(left)} ${drawn.join('')}`.trimEnd()
  })
  const indent = ' '.repeat(left + 3)
  const title = `  ${name} by epoch${each > 1 ? `, each column the best of ${formatCount(each)}` : ''}`
  const place = isKept.indexOf(true)
  return [
    title,
    ...rows,
    `${indent}${endsLine(columns, columns.length * wide)}`,
    ...(place < 0 ? [] : [keptLine(kept, place * wide, indent)]),
  ]
}

/** The first and the last epoch below the ends of the chart. */
function endsLine(columns: readonly Column[], width: number): string {
  const [first, last] = [formatCount(columns[0]!.from), formatCount(columns.at(-1)!.to)]
  return `${first}${last.padStart(Math.max(width - first.length, last.length + 1))}`
}

/** `▲ epoch 57 kept` below the column, with the words on the side that has room. */
function keptLine(kept: number, place: number, indent: string): string {
  const label = `epoch ${formatCount(kept)} kept`
  return place > label.length + 1
    ? `${indent}${' '.repeat(place - label.length - 1)}${label} ▲`
    : `${indent}${' '.repeat(place)}▲ ${label}`
}
