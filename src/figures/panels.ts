import * as Plot from '@observablehq/plot'
import { formatPercent, formatTick } from '../number-text.js'
import { formatFixed } from '../words/estimate-text.js'
import { colour, hairline } from './theme.js'
import { linearTicks, tickDecimals } from './axes.js'

/** A panel before it has a place. */
interface PanelPlan {
  /** What its vertical scale measures, written above it. */
  readonly label: string
  /** The values that must be seen. */
  readonly range: readonly [low: number, high: number]
  /** Pixels from its lowest to its highest value. */
  readonly height: number
  /** Pixels kept free above the highest value. */
  readonly headroom?: number
  /** Whether its values are fractions to be written as percentages. */
  readonly percent?: boolean
}

/** A part of a plot with a vertical scale of its own. */
export interface Panel {
  /** Edges, in pixels from the top of the plot. */
  readonly top: number
  readonly bottom: number
  /** Where a value lies, in pixels from the top of the plot; beyond the range it is cut. */
  place(value: number): number
  /** Name, grid and axis. */
  readonly marks: readonly Plot.Markish[]
}

/** From here on thousands are written as such: 50k. */
const LARGE = 10_000

/** Between panels lies the name of the lower one. */
const GAP = 44
/** Names begin where those of other charts do. */
const LABEL_EDGE = 3

/**
 * Panels below one another in one plot that share the horizontal axis. The plot's vertical scale counts
 * pixels, and each panel places its values on it. `options` belong into those of the plot.
 */
export function stackPanels(plans: readonly PanelPlan[]): {
  panels: Panel[]
  options: Plot.PlotOptions & { marginLeft: number; height: number }
} {
  const scales = plans.map((plan) => {
    const [low, high] = widened(plan.range)
    const ticks = enoughTicks(low, high, Math.max(2, Math.round(plan.height / 40)))
    const places = ticks.map((tick) => Number((plan.percent ? tick * 100 : tick).toPrecision(6)))
    const decimals = tickDecimals(places)
    const isLarge = Math.max(...ticks.map(Math.abs)) >= LARGE
    const texts = ticks.map((tick) =>
      plan.percent
        ? formatPercent(tick, decimals)
        : isLarge
          ? formatTick(tick).replace('-', '−')
          : formatFixed(tick, decimals),
    )
    return { low, high, ticks, texts }
  })
  const marginLeft = 20 + 8 * Math.max(...scales.flatMap(({ texts }) => texts.map((text) => text.length)))
  const marginTop = 36
  const marginBottom = 52
  let top = 0
  const panels = plans.map(({ label, height, headroom = 0 }, k): Panel => {
    const { low, high, ticks, texts } = scales[k]!
    const bottom = top + headroom + height
    const place = (value: number): number =>
      bottom - ((Math.min(high, Math.max(low, value)) - low) / (high - low)) * height
    const panel: Panel = {
      top,
      bottom,
      place,
      marks: [
        Plot.ruleY(ticks.map(place), { stroke: colour('ink'), strokeOpacity: hairline }),
        Plot.axisY(ticks.map(place), {
          label: null,
          tickFormat: (_: number, tick: number) => texts[tick]!,
          tickSize: 0,
          tickPadding: 8,
        }),
        Plot.text([label], {
          y: [top],
          frameAnchor: 'left',
          textAnchor: 'start',
          dx: LABEL_EDGE - marginLeft,
          dy: -22,
          fill: colour('ink'),
        }),
      ],
    }
    top = bottom + GAP
    return panel
  })
  const height = top - GAP
  return {
    panels,
    options: {
      marginLeft,
      marginTop,
      marginBottom,
      height: marginTop + height + marginBottom,
      y: { domain: [height, 0], axis: null },
    },
  }
}

/** Round ticks, at least two wherever the range lies. */
function enoughTicks(low: number, high: number, most: number): number[] {
  const ticks = linearTicks(low, high, most)
  return ticks.length >= 2 ? ticks : enoughTicks(low, high, most + 1)
}

/** The range, or some room on either side where it is a single value. */
function widened([low, high]: readonly [number, number]): [number, number] {
  if (high > low) return [low, high]
  const around = Math.abs(low) / 10 || 0.1
  return [low - around, low + around]
}

/** Places for labels as near to what they name as can be, at least `apart` from one another and within the bounds. */
export function spreadLabels(
  wanted: readonly number[],
  { apart, top, bottom }: { apart: number; top: number; bottom: number },
): number[] {
  const order = wanted.map((_, k) => k).sort((a, b) => wanted[a]! - wanted[b]!)
  const places = wanted.map((place) => Math.min(bottom, Math.max(top, place)))
  // Down the page each makes room for the last; what is pushed out at the bottom is pushed up again.
  for (let k = 1; k < order.length; k++)
    places[order[k]!] = Math.max(places[order[k]!]!, places[order[k - 1]!]! + apart)
  let limit = bottom
  for (const k of order.toReversed()) {
    places[k] = Math.min(places[k]!, limit)
    limit = places[k]! - apart
  }
  return places
}
