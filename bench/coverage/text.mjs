import { judged } from './aim.mjs'

const MARKS = { failed: '✗', unclear: '?', held: ' ' }

export const share = (value) => (value === null ? '–' : value.toFixed(3).replace(/^0/, ''))
export const percent = (part, whole) => {
  const value = (100 * part) / whole
  return value > 0 && value < 1 ? '<1 %' : value > 99 && value < 100 ? '>99 %' : `${value.toFixed(0)} %`
}

/** The most frequent reasons against trust. */
const reasonsText = (reasons, logs) =>
  Object.entries(reasons)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([code, times]) => `${code} ${percent(times, logs)}`)
    .join(', ')

/** What was measured, a line per cell and estimator; ✗ where the aim fails, ? where it may. */
export function* resultLines(families) {
  for (const family of families) {
    yield `\n${family.name} (${family.use}): ${family.title}`
    yield `  ${'cell, estimator'.padEnd(74)} trust  care refuse   all  trusted below above     width     error`
    for (const cell of family.cells) {
      yield `  ${cell.name} (${cell.millisecondsPerLog} ms per log)`
      for (const [name, summary] of Object.entries(cell.estimators))
        yield estimatorLine(family, name, summary)
    }
  }
}

function estimatorLine(family, name, summary) {
  const { all, trusted, trust, caution, refuse, reasons } = summary
  const number = (value) => (value === null ? '–' : String(Number(value.toPrecision(3)))).padStart(9)
  return [
    `${MARKS[judged(family, summary)] ?? '·'}   ${name}`.padEnd(75),
    ...[trust, caution, refuse].map((part) => percent(part, all.logs).padStart(6)),
    share(all.coverage).padStart(6),
    share(trusted.coverage).padStart(7),
    share(trusted.below).padStart(5),
    share(trusted.above).padStart(5),
    number((trusted.width === null ? all : trusted).width),
    number((trusted.error === null ? all : trusted).error),
    `  ${reasonsText(reasons, all.logs)}`,
  ].join(' ')
}
