import type { Finding } from '../doctor/finding.js'
import type { Log } from '../log/log.js'
import type { Totals } from './said.js'
import { seenTotals, totalsReasons } from './totals.js'

/** Rows and rewards that a log lacks, or has too many of, by what is known of it elsewhere. */
export const totalsFindings = (log: Log, totals: Totals): Finding[] =>
  totalsReasons(totals, seenTotals(log)).map(({ code, level, message, driver, value }) => ({
    code,
    level: level === 'note' ? 'note' : 'problem',
    seen: driver === null ? message : `${message} Most of it: ${driver}.`,
    why: WHY[code]!,
    remedy: REMEDY[code]!,
    numbers: value === null ? {} : { ratio: value },
    rows: [],
  }))

const WHY: Readonly<Record<string, string>> = {
  'rows-missing': 'If what is missing earned more or less than the rest, every estimate is off by that much.',
  'rows-doubled':
    'Copies make intervals too narrow, and change every rate where they are not of all rows alike.',
  'rows-thinned': 'Every rate is too high by the same factor, and every estimate with it.',
  'rewards-missing': 'Every rate is too low, and policies whose rewards were lost look worse than they are.',
  'rewards-doubled': 'A reward that several rows earned counts several times, so every rate is too high.',
  'days-differ': 'Days that begin at another hour are harmless; days with lost and doubled rows are not.',
}

const REMEDY: Readonly<Record<string, string>> = {
  'rows-missing': 'Find out which rows are missing: a day, a device, an application version.',
  'rows-doubled': 'Leave out the copies: look for rows that were sent twice, or a join that repeats them.',
  'rows-thinned': 'Export all rows, also those without a reward, or give each row its weight.',
  'rewards-missing': 'Look where rewards get lost: late events, blocked trackers, a join by the wrong key.',
  'rewards-doubled': 'Join each reward to the one row that earned it, by the id of the impression.',
  'days-differ': 'Compare days in the same time zone: those of a log are days in UTC.',
}
