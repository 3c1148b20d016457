import { formatTick } from '../number-text.js'
import type { LinePanel, LinePicture, PanelLine } from './line-panels.js'
import type { Frame } from './theme.js'
import { logTicks } from './ticks.js'

/** The axis of exposure bias, from strong to weak: temperatures of logging policies. */
export function temperatureAxis(temperatures: readonly number[], { narrow }: Frame): LinePicture['axis'] {
  const [low, high] = [Math.min(...temperatures), Math.max(...temperatures)]
  return {
    label: narrow ? 'Temperature of the log (log scale)' : 'Temperature of the logging policy (log scale)',
    isLog: true,
    ticks: logTicks(low * 0.999, high * 1.001, narrow ? 6 : 10).map((at) => ({ at, text: formatTick(at) })),
    hover: (x) => `temperature ${formatTick(x)}`,
    ends: ['stronger bias', 'weaker bias'],
  }
}

/** The estimate by SNIPS, and the truth. */
export const rewardPanel = (lines: readonly PanelLine[], { narrow }: Frame): LinePanel => ({
  label: narrow ? 'Reward per impression' : 'Mean reward per impression: SNIPS, and the truth (dashed)',
  isTall: true,
  cutsIntervals: true,
  lines,
})

/** How much of the log it rests on. */
export const sharePanel = (
  lines: readonly PanelLine[],
  includes: readonly number[],
  { narrow }: Frame,
): LinePanel => ({
  label: narrow ? 'ESS/n' : 'Effective share of the log, ESS/n',
  percent: true,
  includes,
  lines,
})
