import type { QuestionAnswer, Level, Verdict } from '../verdict/verdict.js'
import {
  furtherReasons,
  hullText,
  QUESTION_LABELS,
  QUESTION_SHAPES,
  verdictHeading,
} from '../words/verdict-text.js'
import { bullet, cut, GAP, textTable, WIDTH, wrap } from './format.js'
import type { Style, Terminal } from './terminal.js'
import type { Evaluation } from '../estimate/evaluation.js'
import { LOGGER_COLUMNS, loggerCells, loggersText } from '../words/log-text.js'

/** The style of a verdict: a colour for `refuse` alone, lest a loss that is sure looks like good news. */
export const LEVEL_STYLE: Readonly<Record<Level, Style>> = {
  trust: 'bold',
  caution: 'bold',
  refuse: 'red',
}

/** ✔ trust, ▲ caution or ✘ refuse; the questions (default: all) with a line each; where the value may lie; further reasons. */
export function verdictText(
  verdict: Verdict,
  terminal: Terminal,
  { target, questions = verdict.questions }: { target?: string; questions?: readonly QuestionAnswer[] } = {},
): string {
  const word = verdictHeading(verdict)
  const about = target === undefined ? '' : `${GAP}${cut(target, WIDTH - word.length - GAP.length)}`
  const hull = hullText(verdict)
  return [
    `${terminal.style(['bold', LEVEL_STYLE[verdict.level]] as Style, word)}${about}`,
    ...questions.map((one) => questionLine(one, terminal)),
    ...(hull === undefined ? [] : [`${GAP}${hull}`]),
    ...furtherReasons(verdict).map(bullet),
  ].join('\n')
}

const LABEL_WIDTH = Math.max(...Object.values(QUESTION_LABELS).map((label) => label.length))

/** `  ✔ overlap          About 700 effective clicks, at most 1.0 % from one user.` */
export function questionLine({ question, level, text }: QuestionAnswer, terminal: Terminal): string {
  const shape = QUESTION_SHAPES[level]
  const painted = level === 'refuse' ? terminal.style('red', shape) : shape
  const start = `${GAP}${painted} ${QUESTION_LABELS[question].padEnd(LABEL_WIDTH)}${GAP}`
  const indent = ' '.repeat(LABEL_WIDTH + 2 * GAP.length + 2)
  return `${start}${wrap(text, WIDTH, indent).trimStart()}`
}

/** Longer names of loggers are cut. */
const LONGEST_NAME = 24

/** What each logger says by itself, and how they count together; no lines where the log does not mark its loggers. */
export function loggersTable(evaluation: Evaluation, terminal: Terminal): string[] {
  const { loggers } = evaluation
  const text = loggersText(evaluation)
  if (!loggers || text === null) return []
  const rows = loggers.map(loggerCells).map(([name, ...cells]) => [cut(name!, LONGEST_NAME), ...cells])
  return [
    terminal.style('bold', 'What the rows of each logger say on their own'),
    ...textTable(LOGGER_COLUMNS, rows, terminal),
    wrap(text, WIDTH, GAP),
  ]
}
