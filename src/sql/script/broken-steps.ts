import { NUMBER_COLUMNS } from '../../log/columns.js'
import type { Dialect } from '../dialect.js'
import { faultConditions, type SqlView, weighedRows } from '../weighed-rows.js'
import { named, type Step } from './layout.js'

/** So many rows that break a rule are named. */
const MOST_NAMED = 5

/**
 * Steps for rows that break a rule: `faults` is one row with how many (`broken_rows`) and how many break each rule
 * (`faults_0` …); `examples` are some of them, each told in a text.
 */
export function brokenSteps(view: SqlView): Step[] {
  const { dialect } = view
  const faults = faultConditions(view)
  return [
    {
      name: 'unusable',
      about: 'The rows that break a rule; none, in a sound table.',
      select: {
        columns: [named(toldOf(view), 'told'), ...faults.map((_, k) => `fault_${k}`)],
        from: `(${weighedRows(view, 'cells.c_user', { faults: true, further: cellsOf(view).map((cell) => `log_rows.${cell}`) })}) AS every_row`,
        where: 'broken',
      },
    },
    {
      name: 'faults',
      about: 'One row: how many there are, and how many break each rule.',
      select: {
        columns: [
          named(dialect.double('count(*)'), 'broken_rows'),
          ...faults.map((_, k) => named(counted(dialect, `fault_${k}`), `faults_${k}`)),
        ],
        from: 'unusable',
      },
    },
    {
      name: 'examples',
      about: `Up to ${MOST_NAMED} of them, so that they can be found.`,
      select: { columns: ['told'], from: 'unusable', limit: MOST_NAMED },
    },
  ]
}

const counted = (dialect: Dialect, flag: string): string =>
  dialect.double(`count(CASE WHEN ${flag} THEN 1 END)`)

/** The cells that a row is told by. */
const cellsOf = ({ relation }: SqlView): string[] => [
  'in_user',
  'in_item',
  ...NUMBER_COLUMNS.filter((column) => relation.numbers[column]).map((column) => `in_${column}`),
]

/** A row as a text: its user, its item and its numbers. */
const toldOf = (view: SqlView): string => {
  const { dialect } = view
  const told = cellsOf(view).map((cell) => {
    const name = dialect.literal(`${cell.slice('in_'.length)} `)
    return `${name} || coalesce(${dialect.text(cell)}, ${dialect.literal('missing')})`
  })
  return told.join(` || ${dialect.literal(', ')} || `)
}
