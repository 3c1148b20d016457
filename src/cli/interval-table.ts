import type { VerdictLevel } from '../estimate/evaluation.js'
import { intervalScale } from '../figures/interval-layout.js'
import { roundStep } from '../figures/axes.js'
import type { Outcome } from '../verdict/decision.js'
import { formatTick } from '../number-text.js'
import { formatFixed, valueDecimals, VERDICT_SHAPES } from '../words/estimate-text.js'
import { cut, GAP, WIDTH, wrap } from './format.js'
import type { Style, Terminal } from './terminal.js'
import { LEVEL_STYLE } from './verdict-text.js'

/** Width of the drawing of intervals: labels are cut to leave it the minimum, and it never exceeds the maximum. */
const [LEAST_DRAWN, MOST_DRAWN] = [16, 36]
const SHORTEST_LABEL = 12

/** The colours of what is better or worse, which colour-blind readers can tell apart. */
export const OUTCOME_STYLE: Readonly<Record<Outcome, Style | undefined>> = {
  better: 'blue',
  worse: 'yellow',
  undecided: undefined,
  'no-answer': undefined,
}

/** A row of `intervalTable`. */
export interface Row {
  label: string
  value: number | null
  interval: readonly [number, number] | null
  reason: string | undefined
  style: Style | undefined
  /** A column behind the drawing. */
  after?: string
  shape?: VerdictLevel
}

interface TableWords {
  names: readonly [label: string, value: string, interval: string, after?: string]
  /** The line through all rows; it has a row of its own if `written` is given. */
  reference: { at: number; label: string; written?: string }
}

/** Rows of numbers aligned at the decimal point, each with its interval drawn on a common scale. */
export function intervalTable(
  rows: readonly Row[],
  { names, reference }: TableWords,
  terminal: Terminal,
): string[] {
  const known = rows.filter(({ value }) => value !== null)
  const cells = rows.map(({ value, interval }) => {
    if (value === null) return ['', '', '']
    const decimals = valueDecimals(value, interval)
    return [value, ...(interval ?? [])].map((number) => formatFixed(number, decimals))
  })
  const own = reference.written === undefined ? [] : [reference.written]
  const values = alignPoints([...cells.map((cell) => cell[0]!), ...own])
  const ends = [1, 2].map((column) => alignPoints(cells.map((cell) => cell[column] ?? '')))
  const ranges = rows.map((_, k) => `${ends[0]![k]}${GAP}${ends[1]![k]}`)

  const valueWidth = longest([...values, names[1]])
  const rangeWidth = known.some(({ interval }) => interval) ? longest([...ranges, names[2]]) : 0
  const afterWidth = names[3] === undefined ? 0 : longest([...rows.map(({ after = '' }) => after), names[3]])
  const hasShapes = rows.some(({ shape }) => shape !== undefined)
  // After the drawing come a gap and the last column, then a space and the symbol of the verdict.
  const room =
    WIDTH -
    GAP.length * 3 -
    valueWidth -
    (rangeWidth && GAP.length + rangeWidth) -
    (afterWidth && GAP.length + afterWidth) -
    (hasShapes ? 2 : 0)
  const most = Math.max(SHORTEST_LABEL, room - LEAST_DRAWN)
  const labels = rows.map(({ label }) => cut(label, most))
  const referenceLabel = own.length > 0 ? cut(reference.label, most) : ''
  const labelWidth = longest([...labels, names[0], referenceLabel])
  const scale = scaleOf(known, reference.at, Math.max(0, Math.min(MOST_DRAWN, room - labelWidth)))

  const line = (label: string, value: string, range: string, rest: string): string =>
    [
      label.padEnd(labelWidth),
      value.padStart(valueWidth),
      ...(rangeWidth ? [range.padStart(rangeWidth)] : []),
      rest,
    ]
      .map((cell) => `${GAP}${cell}`)
      .join('')
      .trimEnd()
  const header = line(
    names[0],
    names[1],
    names[2],
    `${scale.header}${GAP}${names[3]?.padStart(afterWidth) ?? ''}`,
  )
  const body = rows.map(({ value, interval, reason, style, after = '', shape }, k) => {
    if (value === null) return unknownLine(labels[k]!.padEnd(labelWidth), reason)
    const drawn = drawInterval(value, interval, scale)
    const shown = afterWidth || shape !== undefined ? drawn : drawn.trimEnd()
    const painted = style === undefined ? shown : terminal.style(style, shown)
    const sign = shape === undefined ? '' : ` ${terminal.style(LEVEL_STYLE[shape], VERDICT_SHAPES[shape])}`
    return line(
      labels[k]!,
      values[k]!,
      ranges[k]!,
      `${painted}${afterWidth ? `${GAP}${after.padStart(afterWidth)}` : ''}${sign}`,
    )
  })
  const mark = ' '.repeat(scale.reference) + '┊'
  // Estimators that share a remark share a line.
  const remarks = new Map<string, string[]>()
  for (const { label, value, reason } of rows)
    if (value !== null && reason !== undefined) remarks.set(reason, [...(remarks.get(reason) ?? []), label])
  const notes = Array.from(remarks, ([reason, names]) => wrap(`${names.join(', ')}: ${reason}`, WIDTH, GAP))
  return [
    terminal.style('dim', header),
    ...body,
    ...(own.length > 0 ? [line(referenceLabel, values.at(-1)!, '', mark)] : []),
    ...notes,
  ]
}

/** A row without a value: the reason takes the place of the numbers. */
export function unknownLine(label: string, reason = 'no value'): string {
  const start = GAP.length * 2 + label.length
  const text = wrap(`– ${reason}`, WIDTH, ' '.repeat(start)).trimStart()
  return `${GAP}${label}${GAP}${text}`
}

interface Scale {
  low: number
  high: number
  width: number
  /** Column of the reference line. */
  reference: number
  /** The labels of both ends. */
  header: string
}

function scaleOf(rows: readonly Row[], reference: number, width: number): Scale {
  const [least, most] = intervalScale({
    points: [...rows.map(({ value }) => value!), reference],
    intervals: rows.flatMap(({ interval }) => (interval ? [interval] : [])),
  })
  const step = roundStep((most - least) / 10)
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9))
  const low = Math.floor(least / step + 1e-9) * step
  const high = Math.ceil(most / step - 1e-9) * step
  const written = [low, high].map((end) => formatFixed(end, decimals))
  const shorter = [low, high].map((end) => formatTick(end).replace('-', '−'))
  // Where neither fits, the numbers of the rows say what the drawing spans.
  const [left, right] = [written, shorter].find((ends) => ends.join(' ').length <= width) ?? ['', '']
  const header = `${left}${right!.padStart(width - left!.length)}`
  const scale = { low, high, width, header }
  return { ...scale, reference: columnOf(reference, scale) }
}

const columnOf = (value: number, { low, high, width }: Omit<Scale, 'reference'>): number =>
  Math.min(width - 1, Math.max(0, Math.round(((value - low) / (high - low)) * (width - 1))))

/** `├──●──┤` on a scale; an end beyond the scale is an arrow. */
function drawInterval(value: number, interval: readonly [number, number] | null, scale: Scale): string {
  const cells = Array.from({ length: scale.width }, () => ' ')
  if (interval) {
    const [from, to] = interval.map((end) => columnOf(end, scale)) as [number, number]
    cells.fill('─', from, to + 1)
    cells[from] = interval[0] < scale.low ? '←' : '├'
    cells[to] = interval[1] > scale.high ? '→' : '┤'
  }
  const crossed = { ' ': '┊', '─': '┼' }[cells[scale.reference]!]
  if (crossed !== undefined) cells[scale.reference] = crossed
  cells[columnOf(value, scale)] = '●'
  return cells.join('')
}

/** Numbers padded so that their decimal points line up. */
function alignPoints(numbers: readonly string[]): string[] {
  const point = (number: string): number => (number.includes('.') ? number.indexOf('.') : number.length)
  const whole = Math.max(0, ...numbers.map(point))
  const rest = Math.max(0, ...numbers.map((number) => number.length - point(number)))
  return numbers.map((number) => `${' '.repeat(whole - point(number))}${number}`.padEnd(whole + rest))
}

export const longest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => text.length))
