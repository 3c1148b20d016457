import * as Plot from '@observablehq/plot'
import { HindcastError } from '../error.js'
import type { Verdict, VerdictLevel } from '../estimate/evaluation.js'
import { verdictWord } from '../words/verdict-text.js'
import { escapeXml, serialise } from './serialise.js'
import {
  chartClass,
  chartStyle,
  colour,
  type ColourName,
  fonts,
  type Frame,
  narrowFrame,
  palette,
  typeSizes,
  wideFrame,
} from './theme.js'

/** A place at which a dial can stand, and what holds there. */
export interface DialStop {
  /** The place as people write it: "1.2". */
  readonly at: string
  /** What holds there, in sentences of plain text. */
  readonly text: string
  /** A word on it, with its shape, in the colour of a verdict: "✔ trust". */
  readonly tag?: { readonly text: string; readonly level: VerdictLevel }
  /** Which of the chart's strips shows it, from the first; null where none does. */
  readonly strip: number | null
}

/**
 * What a reader can move on a chart: a slider over its stops, or a choice among them. It holds numbers that were computed
 * already, never rows.
 */
export interface Dial {
  /** What moves: "Temperature of bpr". */
  readonly label: string
  readonly kind: 'slider' | 'choice'
  readonly stops: readonly DialStop[]
  /** The stop at which it stands first. */
  readonly start: number
}

/** The class of the strips that the stops of a dial light up. */
export const STRIPS = 'strips'

/** A column of a table: its name in files, its heading for people, and how its values are written. */
export interface Column {
  readonly name: string
  readonly label: string
  /** `rate` and `share` are fractions shown as percentages, a `verdict` is a word after its shape; default `text`. */
  readonly kind?: 'text' | 'count' | 'number' | 'rate' | 'share' | 'verdict'
}

export type Cell = string | number | null

/** The numbers behind a chart, or any table of a report. */
export interface Table {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
}

/** A figure that is ready to be shown: words, picture and numbers. */
export interface Chart {
  /** Short name for files and links: lower-case words joined by hyphens. */
  readonly name: string
  /** The finding, as a sentence with numbers. */
  readonly title: string
  /** What is drawn. */
  readonly subtitle: string
  /** How to read it; also what a screen reader says after the title. */
  readonly caption: string
  /** A complete SVG file, title and subtitle drawn above the plot; right in light and in dark. */
  readonly svg: string
  /** The same plot drawn for a phone (360 px wide), without title, subtitle and hover text. */
  readonly narrow: string
  readonly table: Table
  /** The verdict on what is drawn, stamped on the file: it stays with the picture wherever that goes. */
  readonly stamp?: VerdictLevel
  /** What somebody noted on it, in plain text. */
  readonly note?: string
  /** What a reader can move on it, where a page has a script. */
  readonly dials?: readonly Dial[]
}

/** What figures of estimates are told of them. */
export interface JudgedInput {
  /** Of the intervals; default 0.95. */
  readonly confidence?: number
  /** Where it is `refuse`, the title states no finding. */
  readonly verdict?: Pick<Verdict, 'level'>
}

/** What every figure needs besides its data. */
export interface FigureOptions {
  /** The document to draw with: the page's own in a browser, `createDocument()` of hindcast/node in Node. */
  readonly document: Document
}

/** A chart before it is drawn: `draw` gives the plot for a frame, of another height where it sets one. */
export interface ChartPlan extends Omit<Chart, 'svg' | 'narrow'> {
  draw(frame: Frame): Plot.PlotOptions
}

/**
 * Draws a planned chart, wide and narrow. The same plan always gives the same bytes. Each picture is drawn when it is first
 * looked at: a page shows one of the two, and while a slider moves the other would never be seen.
 */
export function drawChart(plan: ChartPlan, { document }: FigureOptions): Chart {
  const { draw, ...words } = plan
  let wide: string | undefined
  let narrow: string | undefined
  return {
    ...words,
    get svg() {
      return (wide ??= render(plan, draw(wideFrame), wideFrame, document))
    },
    get narrow() {
      return (narrow ??= render(plan, draw(narrowFrame), narrowFrame, document))
    },
  }
}

/** The SVG of a chart without its style sheet, for a page that has `chartStyle` once for all of them. */
export const withoutStyle = (svg: string): string => svg.replace(STYLE_ELEMENT, '')

/**
 * The SVG of a chart cut down to its plot, for a page that writes title and subtitle itself. The whole
 * stays inside: `data-full` keeps the view box of the file, for saving.
 */
export const withoutHeading = (svg: string): string =>
  svg.replace(
    /width="\d+" height="\d+" viewBox="([^"]+)" data-plot="(\d+) (\d+)"/,
    (_, full: string, width: string, height: string) =>
      `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" data-full="${full}"`,
  )

const STYLE_ELEMENT = `<style>${chartStyle}</style>`
/** Empty paper around a chart in its file. */
const margin = 16
/** Where the name of the vertical axis begins; the heading stands above it. */
const labelEdge = 3

function render(plan: ChartPlan, options: Plot.PlotOptions, frame: Frame, document: Document): string {
  const { width, narrow } = frame
  const height = options.height ?? frame.height
  const plot = Plot.plot({ ...options, document, className: chartClass, width, height }) as unknown as Element
  plot.querySelector('style')?.remove()
  if (narrow) for (const title of Array.from(plot.querySelectorAll('title'))) title.remove()
  for (const element of Array.from(plot.querySelectorAll('[fill],[stroke]'))) addFallback(element)

  const heading = narrow ? { height: 0, svg: '' } : drawHeading(plan, width)
  const edge = narrow ? 0 : margin
  const [left, top, across, down] = [
    0 - edge,
    0 - heading.height,
    width + 2 * edge,
    height + heading.height + edge / 2,
  ]
  const verdict = plan.stamp === undefined ? '' : `Verdict: ${plan.stamp}. `
  const label = escapeXml(`${plan.title}. ${verdict}${plan.caption}`)
  // The plot stays at y = 0 and the heading lies above it, so that a view box is enough to hide it.
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="${chartClass}" width="${across}" height="${down}" ` +
    `viewBox="${left} ${top} ${across} ${down}" data-plot="${width} ${height}" role="img" aria-label="${label}" fill="${palette.ink.light}" ` +
    `style="fill:${colour('ink')}" font-family="${escapeXml(fonts.sans)}" font-size="${typeSizes.small}" ` +
    `text-anchor="middle">${STYLE_ELEMENT}` +
    `<rect x="${left}" y="${top}" width="${across}" height="${down}" fill="${palette.paper.light}" ` +
    `style="fill:${colour('paper')}"/>` +
    heading.svg +
    Array.from(plot.children).map(serialise).join('\n') +
    '</svg>'
  )
}

/** Programs that do not know CSS variables get the light colour from the attribute. */
function addFallback(element: Element): void {
  for (const attribute of ['fill', 'stroke']) {
    const value = element.getAttribute(attribute)
    const name = value === 'currentColor' ? 'ink' : /^var\(--hindcast-([a-z-]+)\)$/.exec(value ?? '')?.[1]
    if (name === undefined) continue
    element.setAttribute(attribute, palette[name as ColourName].light)
    const before = element.getAttribute('style')
    element.setAttribute('style', `${before ? `${before};` : ''}${attribute}:${colour(name as ColourName)}`)
  }
}

function drawHeading(plan: ChartPlan, width: number): { height: number; svg: string } {
  // There is nothing to measure text with; these widths hold for the wide fonts among the usual ones.
  const room = plan.stamp === undefined ? width : width - STAMP_WIDTH
  const title = wrap(plan.title, room / (typeSizes.large * 0.57))
  const subtitle = wrap(plan.subtitle, width / (typeSizes.small * 0.55))
  let y = 12
  const lines: string[] = []
  const height = 12 + title.length * 26 + 4 + subtitle.length * 18 + 8
  const add = (text: string, size: number, leading: number, rest: string) => {
    y += leading
    lines.push(
      `<text x="${labelEdge}" y="${y - height - 6}" font-size="${size}" ${rest}>${escapeXml(text)}</text>`,
    )
  }
  for (const line of title) add(line, typeSizes.large, 26, 'font-weight="600"')
  y += 4
  const muted = `fill="${palette.muted.light}" style="fill:${colour('muted')}"`
  for (const line of subtitle) add(line, typeSizes.small, 18, muted)
  const stamp = plan.stamp === undefined ? '' : drawStamp(plan.stamp, width, -height)
  return { height, svg: `<g class="heading" text-anchor="start">${lines.join('')}</g>${stamp}` }
}

/** Room for a stamp beside the title. */
const STAMP_WIDTH = 104

/** The verdict in a frame of its colour, at the upper right. */
function drawStamp(level: VerdictLevel, width: number, top: number): string {
  const [across, down] = [STAMP_WIDTH - 16, 24]
  return (
    `<g class="stamp"><rect x="${width - across}" y="${top + 14}" width="${across}" height="${down}" rx="4" ` +
    `style="fill:none;stroke:${colour(level)}" fill="none" stroke="${palette[level].light}"/>` +
    `<text x="${width - across / 2}" y="${top + 31}" font-size="${typeSizes.small}" font-weight="600" ` +
    `fill="${palette[level].light}" style="fill:${colour(level)}">` +
    `${escapeXml(verdictWord({ level }))}</text></g>`
  )
}

function wrap(text: string, most: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!
    if (last !== '' && last.length + 1 + word.length > most) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines
}

/** The error of a figure without data; `why` follows "There is nothing to draw: ". */
export const nothingToDraw = (why: string): HindcastError =>
  new HindcastError('bad-rows', `There is nothing to draw: ${why}.`, {
    remedy: 'Check that the log has rows and that no filter removed them all.',
  })
