import { formatCount } from '../number-text.js'
import type { Trial, Tuning } from '../train/tune/tuning.js'
import { capitalised, formatScore, measureLabel } from '../words/training-text.js'
import { rankedTrials, trialName, trialText, tunedByText } from '../words/tuning-text.js'
import { type Chart, drawChart, type FigureOptions, nothingToDraw } from './chart.js'
import { drawLinePanels, type PanelLine } from './line-panels.js'
import { tableOf } from './table-cells.js'
import type { Frame } from './theme.js'
import { logTicks } from './axes.js'

/** What each trial had reached at the end of each rung: a line that goes on was promoted. */
export function tuningCurves(tuning: Tuning, options: FigureOptions): Chart {
  const isDrawn = tuning.trials.some(({ reached }) => reached.some(({ value }) => value !== null))
  if (!isDrawn) throw nothingToDraw('no trial has a value')
  return drawChart(
    {
      name: 'tuning-curves',
      title: titleOf(tuning),
      subtitle: `${capitalised(tunedByText(tuning))} after each rung: the best epoch so far of each trial. Dashed: the defaults trained to their end, and models that are solved.`,
      caption:
        'After each rung the best third of the trials trains on for three times as many steps; the others end. The trial was chosen by these values, so the best of them is too high on average; the test part gives a fair value.',
      table: tableOf(
        rankedTrials(tuning).flatMap(({ trial, number }) =>
          trial.reached.map((reached) => ({ trial, number, ...reached })),
        ),
        [
          { name: 'trial', label: 'Trial', of: ({ trial, number }) => trialName(trial, number) },
          { name: 'settings', label: 'Settings', of: ({ trial }) => trialText(trial.settings) },
          { name: 'steps', label: 'Steps', kind: 'count', of: 'steps' },
          { name: 'epochs', label: 'Epochs', kind: 'count', of: 'epochs' },
          { name: 'best_epoch', label: 'Best epoch', kind: 'count', of: 'epoch' },
          { name: 'value', label: measureLabel(tuning.by, kOf(tuning)), kind: 'number', of: 'value' },
          { name: 'ended', label: 'Ended', of: 'stopped' },
        ],
      ),
      draw: (frame) => draw(frame, tuning),
    },
    options,
  )
}

const kOf = ({ trials }: Tuning): number => trials[0]!.settings.k

function titleOf(tuning: Tuning): string {
  const { trials, best } = tuning
  const measure = measureLabel(tuning.by, kOf(tuning))
  const [chosen, defaults] = [trials[best ?? -1], trials.find(({ role }) => role === 'defaults')]
  const value = chosen?.reached.at(-1)?.value
  if (!chosen || value == null) return `No trial was chosen by ${measure}`
  const before = defaults?.reached.at(-1)?.value
  const than =
    before == null || chosen === defaults ? '' : `, instead of ${formatScore(before)} with the defaults`
  return `${capitalised(measure)} on the validation part reaches ${formatScore(value)}${than}`
}

function draw(frame: Frame, tuning: Tuning): ReturnType<typeof drawLinePanels> {
  const { trials, by } = tuning
  const lines = trials.map((trial, number) => lineOf(trial, number, tuning))
  return drawLinePanels(frame, {
    intervals: 'bars',
    axis: {
      label: 'Steps of each trial (log scale)',
      isLog: true,
      ticks: ticksOf(tuning, frame).map((at) => ({ at, text: formatCount(at) })),
      hover: (x) => `${formatCount(x)} steps`,
    },
    panels: [
      {
        label: measureLabel(by, kOf(tuning)),
        isTall: true,
        // Those with names last, on top of the others.
        lines: lines.toSorted((a, b) => Number(a.label !== '') - Number(b.label !== '')),
      },
    ],
  })
}

/** The rungs of a single bracket; of several, round numbers. */
function ticksOf(tuning: Tuning, { narrow }: Frame): number[] {
  const { brackets } = tuning
  if (brackets.length <= 1) return brackets.flat().map(({ steps }) => steps)
  return logTicks(...stepRange(tuning), narrow ? 4 : 8)
}

/** The fewest and the most steps of a rung. */
function stepRange({ brackets }: Tuning): [low: number, high: number] {
  const steps = brackets.flat().map((rung) => rung.steps)
  return steps.length === 0 ? [1, 1] : [Math.min(...steps), Math.max(...steps)]
}

function lineOf(trial: Trial, number: number, tuning: Tuning): PanelLine {
  const isBest = number === tuning.best
  const name = trialName(trial, number)
  if (trial.role !== 'drawn') {
    const mean = trial.reached[0]?.value ?? null
    const steps = [...new Set(stepRange(tuning))]
    return {
      label: isBest ? `best: ${name}` : name,
      colour: isBest ? 'better' : trial.role === 'defaults' ? 'ink' : 'logged',
      dashed: true,
      points: steps.map((x) => ({ x, mean, interval: null })),
    }
  }
  return {
    label: isBest ? 'best' : '',
    colour: isBest ? 'better' : 'muted',
    hollow: !isBest,
    points: trial.reached.map(({ value }, k) => ({
      x: tuning.brackets[trial.bracket]![k]!.steps,
      mean: value,
      interval: null,
    })),
  }
}
