import * as Plot from '@observablehq/plot'
import { counted, formatCount, formatEstimate, formatShare, type VerdictLevel, listed } from 'hindcast'
import {
  type Chart,
  colour,
  drawChart,
  type FigureOptions,
  type Frame,
  hairline,
  hoverRows,
  logTicks,
  meanText,
  nothingToDraw,
  overSeedsText,
  rowsLayout,
  type SeedMean,
  sentences,
  tableNumbers,
  VERDICT_SHAPES,
} from 'hindcast/figures'

/** What a log can say about a target policy. */
interface TargetEssRow {
  readonly label: string
  readonly essRatio: SeedMean
  readonly ess: SeedMean
  readonly truth: SeedMean
  readonly snips: SeedMean
  /** How many of the seeds were given each verdict. */
  readonly verdicts: Readonly<Record<VerdictLevel, number>>
  /** Why, in a sentence; null where there is none. */
  readonly reason: string | null
}

export interface TargetEssInput {
  readonly rows: readonly TargetEssRow[]
  /** Of the logging policy. */
  readonly temperature: number
  readonly seeds: number
  readonly world: string
}

const LEVELS: readonly VerdictLevel[] = ['trust', 'caution', 'refuse']
const SYMBOLS: Readonly<Record<VerdictLevel, Plot.SymbolType>> = {
  trust: 'circle',
  caution: 'triangle',
  refuse: 'times',
}

/** The verdict of most seeds, the graver one of a tie. */
const verdictOf = ({ verdicts }: Pick<TargetEssRow, 'verdicts'>): VerdictLevel =>
  LEVELS.toReversed().toSorted((a, b) => verdicts[b] - verdicts[a])[0]!

/** Effective share of the log for each target policy, with the verdict it is given. */
export function targetEss(input: TargetEssInput, options: FigureOptions): Chart {
  const { seeds, temperature, world } = input
  const rows = input.rows.toSorted((a, b) => (b.essRatio.mean ?? 0) - (a.essRatio.mean ?? 0))
  if (rows.length === 0) throw nothingToDraw('no policy was evaluated')
  return drawChart(
    {
      name: 'target-ess',
      title: findingOf(rows),
      subtitle: sentences(
        `Effective share of the log (ESS/n) for each target policy, logs of temperature ${temperature}, and its verdict; ${overSeedsText(seeds, 'lines')}.`,
        `${world}.`,
      ),
      caption:
        'A log says a lot about policies that resemble its logging policy, and almost nothing about others. A refusal does not mean a ' +
        'bad policy: it is a question that this log cannot answer.',
      table: {
        columns: [
          { name: 'target', label: 'Target policy' },
          { name: 'verdict', label: 'Verdict', kind: 'verdict' },
          { name: 'ess', label: 'ESS', kind: 'count' },
          { name: 'ess_ratio', label: 'ESS/n', kind: 'share' },
          { name: 'snips', label: 'SNIPS', kind: 'number' },
          { name: 'truth', label: 'True value', kind: 'number' },
          ...LEVELS.map((level) => ({ name: level, label: `Seeds: ${level}`, kind: 'count' as const })),
          { name: 'reason', label: 'Reason' },
        ],
        rows: rows.map((row) => [
          row.label,
          `${VERDICT_SHAPES[verdictOf(row)]} ${verdictOf(row)}`,
          row.ess.mean === null ? null : Math.round(row.ess.mean),
          ...tableNumbers([row.essRatio.mean, row.snips.mean, row.truth.mean]),
          ...LEVELS.map((level) => row.verdicts[level]),
          row.reason,
        ]),
      },
      draw: (frame) => draw(frame, rows),
    },
    options,
  )
}

function findingOf(rows: readonly TargetEssRow[]): string {
  const count = (level: VerdictLevel): number => rows.filter((row) => verdictOf(row) === level).length
  const said = LEVELS.flatMap((level) =>
    count(level) === 0
      ? []
      : [
          `${{ trust: 'trusts', caution: 'warns about', refuse: 'refuses' }[level]} ${formatCount(count(level))}`,
        ],
  )
  const known = rows.flatMap(({ essRatio }) => essRatio.mean ?? [])
  const spread =
    known.length > 1 && Math.min(...known) > 0
      ? `; the effective share ranges from ${formatShare(Math.min(...known))} to ${formatShare(Math.max(...known))}`
      : ''
  return `Of ${counted(rows.length, 'target policy', 'target policies')}, Hindcast ${listed(said)}${spread}`
}

function draw({ narrow }: Frame, rows: readonly TargetEssRow[]): Plot.PlotOptions {
  const shares = rows.flatMap(({ essRatio }) =>
    essRatio.mean !== null && essRatio.mean > 0 ? [essRatio.mean] : [],
  )
  const low = Math.min(0.1, ...shares) / 1.4
  const high = 1.05
  const rowHeight = narrow ? 64 : 36
  const labels = rows.map(({ label }) => label)
  const tags = rows.map((row) => tagOf(row))
  const marginLeft = narrow ? 18 : 24 + 7.4 * Math.max(...labels.map((label) => label.length))
  const marginRight = narrow ? 18 : 100 + 7.4 * Math.max(...tags.map((tag) => tag.length))
  const placed = rows.map((row, k) => ({ ...row, k }))
  const known = placed.filter(({ essRatio }) => essRatio.mean !== null && essRatio.mean > 0)
  const within = (value: number): number => Math.min(high, Math.max(low, value))
  const ink = colour('ink')
  const [labelShift, tagShift, dotShift] = narrow ? [-20, -2, 16] : [0, 0, 0]
  const ticks = logTicks(low, high, 5)

  return {
    ...rowsLayout(rows.length, rowHeight, { marginLeft, marginRight, marginTop: 20, marginBottom: 52 }),
    x: { type: 'log', domain: [low, high] },
    marks: [
      Plot.gridX(ticks, { stroke: ink, strokeOpacity: hairline }),
      Plot.axisX(ticks, {
        label: narrow ? 'ESS/n (log scale)' : 'Effective share of the log, ESS/n (log scale)',
        labelArrow: 'none',
        labelAnchor: 'center',
        labelOffset: 44,
        text: (tick: number) => `${Number((tick * 100).toPrecision(2))} %`,
      }),
      Plot.ruleY(
        known.filter(({ essRatio }) => essRatio.interval),
        {
          y: 'k',
          dy: dotShift,
          x1: ({ essRatio }: TargetEssRow) => within(essRatio.interval![0]),
          x2: ({ essRatio }: TargetEssRow) => within(essRatio.interval![1]),
          stroke: ink,
          strokeWidth: 1.5,
        },
      ),
      ...LEVELS.flatMap((level) => {
        const own = known.filter((row) => verdictOf(row) === level)
        const isCross = level === 'refuse'
        return [
          Plot.dot(own, {
            x: ({ essRatio }: TargetEssRow) => essRatio.mean!,
            y: 'k',
            dy: dotShift,
            r: 5.5,
            symbol: SYMBOLS[level],
            ...(isCross
              ? { stroke: colour(level), strokeWidth: 2.5 }
              : { fill: colour(level), stroke: colour('paper'), strokeWidth: 1 }),
          }),
          Plot.text(
            placed.filter((row) => verdictOf(row) === level),
            {
              y: 'k',
              frameAnchor: narrow ? 'left' : 'right',
              dx: narrow ? 0 : 88,
              dy: tagShift,
              textAnchor: 'start',
              text: (row: TargetEssRow) => (narrow ? `${tagOf(row)}, ${shareText(row)}` : tagOf(row)),
              fill: colour(level),
              stroke: colour('paper'),
              strokeWidth: 4,
            },
          ),
        ]
      }),
      Plot.text(placed, {
        y: 'k',
        frameAnchor: 'left',
        dx: narrow ? 0 : -12,
        dy: labelShift,
        textAnchor: narrow ? 'start' : 'end',
        text: 'label',
        fill: ink,
        stroke: colour('paper'),
        strokeWidth: 4,
      }),
      narrow
        ? null
        : Plot.text(placed, {
            y: 'k',
            frameAnchor: 'right',
            dx: 68,
            textAnchor: 'end',
            text: shareText,
            fill: ink,
            fontWeight: 600,
          }),
      hoverRows(rows, [low, high], hoverText),
    ],
  }
}

const shareText = ({ essRatio }: TargetEssRow): string =>
  essRatio.mean === null ? 'unknown' : formatShare(essRatio.mean)

/** "✔ trust", or with the count where seeds disagree: "▲ caution (3 of 5)". */
function tagOf(row: TargetEssRow): string {
  const level = verdictOf(row)
  const all = LEVELS.reduce((sum, each) => sum + row.verdicts[each], 0)
  return `${VERDICT_SHAPES[level]} ${level}${row.verdicts[level] < all ? ` (${row.verdicts[level]} of ${all})` : ''}`
}

function hoverText(row: TargetEssRow): string {
  const { label, ess, snips, truth, reason } = row
  return [
    `${label}: ${tagOf(row)}`,
    `ESS ${ess.mean === null ? 'unknown' : formatCount(Math.round(ess.mean))}, ${shareText(row)} of the rows`,
    `SNIPS ${meanText(snips)}`,
    truth.mean === null ? '' : `true value ${formatEstimate(truth.mean, null).value}`,
    reason ?? '',
  ]
    .filter(Boolean)
    .join('\n')
}
