import type { Verdict, VerdictLevel } from '../estimate/evaluation.js'
import { VERDICT_SHAPES } from '../words/estimate-text.js'
import { cut, WIDTH, wrap } from './format.js'
import type { Style, Terminal } from './terminal.js'

/** The style of a verdict. */
export const LEVEL_STYLE: Readonly<Record<VerdictLevel, Style>> = {
  trust: 'green',
  caution: 'yellow',
  refuse: 'red',
}

/** A sentence of a list. */
export const bullet = (text: string): string => `  • ${wrap(text, WIDTH, '    ').trimStart()}`

/** ✔ trust, ▲ caution or ✘ refuse, and why. */
export function verdictText(verdict: Verdict, terminal: Terminal, target?: string): string {
  const word = `${VERDICT_SHAPES[verdict.level]} ${verdict.level}`
  const reasons = verdict.reasons.map(({ message }) => bullet(message))
  const about = target === undefined ? '' : `  ${cut(target, WIDTH - word.length - 2)}`
  return [`${terminal.style(['bold', LEVEL_STYLE[verdict.level]] as Style, word)}${about}`, ...reasons].join(
    '\n',
  )
}
