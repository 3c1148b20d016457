import type { Table } from '../figures/chart.js'
import { tuningCurves } from '../figures/tuning-curves.js'
import { counted, formatCount } from '../number-text.js'
import { tableOf } from '../figures/table-cells.js'
import type { Tuning } from '../train/tune/tuning.js'
import { measureLabel } from '../words/training-text.js'
import {
  lastOf,
  rankedTrials,
  rungsText,
  trialName,
  trialText,
  tunedByText,
  tuningAnswer,
} from '../words/tuning-text.js'
import { type PageOptions, type Report, reportHtml } from './report.js'

/** What a page about a tuning is made from. */
export interface TuningPage {
  readonly title: string
  readonly tuning: Tuning
  /** The command that trains the best model again. */
  readonly command?: string
}

/** The page about a tuning, as HTML: the answer, what each trial reached, all trials, and the command that repeats the best. */
export function tuningPage(
  { title, tuning, command }: TuningPage,
  { document, generatedBy }: PageOptions,
): string {
  const { notes } = tuning
  const hasValue = tuning.trials.some(({ reached }) => reached.some(({ value }) => value !== null))
  return reportHtml({
    title: `${title}: tuned`,
    answer: tuningAnswer(tuning),
    facts: factsOf(tuning),
    charts: hasValue ? [tuningCurves(tuning, { document })] : [],
    sections: [
      ...(command === undefined ? [] : [{ heading: 'To repeat the best model', text: [command] }]),
      {
        heading: 'Trials',
        text: [
          `The best first, by ${tunedByText(tuning)}. Trials that ended early have fewer steps; the epoch is the best so far.`,
        ],
        table: trialsTable(tuning),
      },
      ...(notes.length > 0 ? [{ heading: 'Notes', text: notes }] : []),
    ],
    settings: settingsOf(tuning),
    generatedBy,
  })
}

function factsOf(tuning: Tuning): Report['facts'] {
  const { trials, brackets } = tuning
  const seconds = trials.reduce((sum, { reached }) => sum + reached.reduce((a, one) => a + one.seconds, 0), 0)
  const solved = trials.filter(({ role }) => role === 'solved').length
  return [
    {
      label: 'Trials',
      value: formatCount(trials.length),
      note: `drawn ones beside the defaults${solved > 0 ? ` and ${counted(solved, 'model')} that ${solved === 1 ? 'is' : 'are'} solved` : ''}`,
    },
    ...(brackets.length > 0
      ? [{ label: 'Brackets', value: formatCount(brackets.length), note: brackets.map(rungsText).join('; ') }]
      : []),
    {
      label: 'Chosen by',
      value: measureLabel(tuning.by, trials[0]!.settings.k),
      note: 'on the validation part',
    },
    {
      label: 'Time',
      value:
        seconds < 120
          ? `${Number(seconds.toPrecision(2))} s`
          : `${formatCount(Math.round(seconds / 60))} min`,
      note: 'of all trials, evaluation included',
    },
  ]
}

const trialsTable = (tuning: Tuning): Table =>
  tableOf(rankedTrials(tuning), [
    { name: 'trial', label: 'Trial', of: ({ trial, number }) => trialName(trial, number) },
    { name: 'settings', label: 'Settings', of: ({ trial }) => trialText(trial.settings) },
    {
      name: 'value',
      label: measureLabel(tuning.by, tuning.trials[0]!.settings.k),
      kind: 'number',
      of: ({ trial }) => lastOf(trial)?.value,
    },
    { name: 'epoch', label: 'Best epoch', kind: 'count', of: ({ trial }) => lastOf(trial)?.epoch },
    { name: 'epochs', label: 'Epochs', kind: 'count', of: ({ trial }) => lastOf(trial)?.epochs },
    { name: 'steps', label: 'Steps', kind: 'count', of: ({ trial }) => lastOf(trial)?.steps },
    { name: 'ended', label: 'Ended', of: ({ trial }) => lastOf(trial)?.stopped ?? 'not run' },
  ])

const settingsOf = ({ trials, best, by, brackets, asked }: Tuning): Report['settings'] => ({
  by,
  asked: JSON.parse(asked) as unknown,
  brackets,
  ...(best !== null && { best: trials[best]!.settings }),
})
