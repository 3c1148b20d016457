import { advice, set } from '../advice.js'
import type { Check, Finding } from './finding.js'
import { countDistinct } from '../log/row-groups.js'
import { counted } from '../number-text.js'

/** Says when a log has few rows, a single user or a single item. */
export const checkSize: Check = ({ log }) => {
  const findings: Finding[] = []
  if (log.rows < 100) {
    findings.push({
      code: 'few-rows',
      level: 'note',
      seen: `The log has ${counted(log.rows, 'row')}.`,
      why: 'With fewer than 100 rows intervals are wide and several of the checks have nothing to go by.',
      remedy: 'Collect more rows, or check that the file was read to its end.',
      numbers: { rows: log.rows },
      rows: [],
    })
  }
  if (countDistinct(log.user, log.userIds.length) === 1) {
    findings.push({
      code: 'one-user',
      level: 'note',
      column: 'user',
      seen: `All ${counted(log.rows, 'row')} are of one user, ${log.userIds[log.user[0]!]}.`,
      why: 'Intervals rest on the differences between users; with one there are none.',
      remedy: advice`Choose the column that names the user with ${set('columns', 'user=…')}, or treat each row as a cluster of its own.`,
      numbers: { users: 1, rows: log.rows },
      rows: [],
    })
  }
  if (countDistinct(log.item, log.itemIds.length) === 1) {
    findings.push({
      code: 'one-item',
      level: 'note',
      column: 'item',
      seen: `All ${counted(log.rows, 'row')} show one item, ${log.itemIds[log.item[0]!]}.`,
      why: 'Policies differ in what they show; where only one item is ever shown there is nothing to compare.',
      remedy: advice`Choose the column that names the item with ${set('columns', 'item=…')}.`,
      numbers: { items: 1, rows: log.rows },
      rows: [],
    })
  }
  return findings
}
