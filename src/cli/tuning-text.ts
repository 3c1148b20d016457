import { formatCount } from '../number-text.js'
import type { TrialProgress } from '../train/tune/tune.js'
import type { Tuning } from '../train/tune/tuning.js'
import type { EpochRecord } from '../train/training.js'
import { formatScore, measureLabel, modelLabel } from '../words/training-text.js'
import { lastOf, rankedTrials, rungsText, trialName, trialText, tuningAnswer } from '../words/tuning-text.js'
import { bullet, duration, GAP, WIDTH, wrap } from './format.js'
import { emphasised, type Terminal } from './terminal.js'

/** Trials that a terminal shows; the report has all. */
const SHOWN = 10

/** A tuning for a terminal of 80 columns: the answer, the best trials, the command that repeats the best, notes. */
export function tuningText(
  file: string,
  tuning: Tuning,
  command: string | undefined,
  terminal: Terminal,
): string {
  const { notes, trials } = tuning
  const more = trials.length - SHOWN
  return [
    terminal.style('bold', file),
    emphasised(wrap(tuningAnswer(tuning), WIDTH), terminal),
    '',
    terminal.style('bold', 'The best trials'),
    ...trialRows(tuning, terminal),
    ...(more > 0 ? [`${GAP}and ${formatCount(more)} more, in the report`] : []),
    ...(command === undefined
      ? []
      : ['', terminal.style('bold', 'To train the best model again'), `${GAP}${command}`]),
    ...(notes.length > 0 ? ['', terminal.style('bold', 'Notes'), ...notes.map(bullet)] : []),
  ].join('\n')
}

/** Value, epochs and settings of the best trials; long settings go on in the next line. */
function trialRows(tuning: Tuning, terminal: Terminal): string[] {
  const heads = ['trial', measureLabel(tuning.by, tuning.trials[0]!.settings.k), 'epochs', 'settings']
  const rows = rankedTrials(tuning)
    .slice(0, SHOWN)
    .map(({ trial, number }) => {
      const last = lastOf(trial)
      const value =
        last?.value == null ? (last?.stopped === 'diverged' ? 'diverged' : '–') : formatScore(last.value)
      const epochs = trial.role === 'solved' ? '–' : formatCount(last?.epochs ?? 0)
      return [trialName(trial, number), value, epochs, trialText(trial.settings)]
    })
  const widths = heads.map((head, k) => Math.max(head.length, ...rows.map((row) => row[k]!.length)))
  const line = (cells: readonly string[]): string => {
    const left = `${GAP}${cells[0]!.padEnd(widths[0]!)}${GAP}${cells[1]!.padStart(widths[1]!)}${GAP}${cells[2]!.padStart(widths[2]!)}${GAP}`
    return `${left}${wrap(cells[3]!, WIDTH, ' '.repeat(left.length)).trimStart()}`
  }
  return [terminal.style('dim', line(heads)), ...rows.map(line)]
}

/** What is about to be done: "Tuning by NDCG@10: 27 trials for 312 steps, the best 9 for 936 …". */
export function planText(tuning: Tuning): string {
  const { brackets, trials, by, pace } = tuning
  const solved = trials
    .filter(({ role }) => role === 'solved')
    .map(({ settings }) => modelLabel(settings.model))
  const parts = [
    ...brackets.slice(0, 1).map((rungs) => `the defaults, ${rungsText(rungs)}`),
    ...(solved.length > 0 ? [`${solved.join(' and ')} once`] : []),
  ]
  const further = pace ? ' If trials end early, further ones take the time that is left.' : ''
  return `Tuning by ${measureLabel(by, trials[0]!.settings.k)} on the validation part: ${parts.join('; ')}.${further}`
}

/** A line about the trial that trains: where it is, how it does, how long all of it still takes. */
export function trialLine(
  { tuning, bracket, rung, place, of, epochs, share, number }: TrialProgress,
  record: EpochRecord | undefined,
  secondsLeft: number | undefined,
): string {
  const { role, settings } = tuning.trials[number]!
  const { k } = settings
  const best = Math.max(...tuning.trials.map((trial) => lastOf(trial)?.value ?? -Infinity))
  return [
    rung === null
      ? role === 'defaults'
        ? 'defaults'
        : `solving ${modelLabel(settings.model)}`
      : `${bracket > 0 ? `bracket ${bracket + 1}, ` : ''}rung ${rung + 1}/${tuning.brackets[bracket]!.length}, trial ${place + 1}/${of}`,
    ...(record && role !== 'solved' ? [`epoch ${formatCount(record.epoch)}/${formatCount(epochs)}`] : []),
    ...(Number.isFinite(best)
      ? [`best ${tuning.by === 'lower-bound' ? 'bound' : `NDCG@${k}`} ${formatScore(best)}`]
      : []),
    ...(rung === null ? [] : [`${Math.floor(100 * share)} % done`]),
    ...(secondsLeft === undefined ? [] : [`${duration(secondsLeft)} left`]),
  ]
    .join(', ')
    .slice(0, WIDTH - 1)
}
