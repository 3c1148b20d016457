import { named, type Step } from './layout.js'
import type { SqlView } from '../weighed-rows.js'

/** Stakes around the likeliest, each twice the one before. */
export const STAKE_STEPS = [-4, -3, -2, -1, 0, 1, 2, 3, 4] as const

/** So many items are looked at closely. */
const CLOSER_LOOKS = 40
/** Items shown less often are left out. */
const FEWEST_SHOWN = 5
/** Smaller excesses are left to pass, and chance is excluded at this level over all items. */
const MATERIAL = 1.05
const ALPHA = 1e-4

/**
 * Steps for what checks of the rows need, as numbers: how many users of each activity had few clicks, and which items were
 * shown more often than their propensities allow. `by_user` has the rows `n` and the clicks `clicked` of each user.
 */
export function checkSteps(view: SqlView): Step[] {
  return [activityStep(view), ...balanceSteps(view)]
}

/** Users by the number of their rows, in powers of two, and by their clicks, as far as those are few. */
function activityStep({ dialect }: SqlView): Step {
  const { double, number } = dialect
  const power = double(`floor(ln(n) / ${number(Math.LN2)} + ${number(1e-9)})`)
  return {
    name: 'activity',
    about: 'How many users had no, one, two and three clicks, by the power of two of their rows.',
    select: {
      columns: ['power', 'clicked', named(double('count(*)'), 'user_number')],
      from: `(SELECT ${power} AS power, clicked FROM by_user WHERE n >= ${number(2)} AND clicked <= ${number(3)}) AS few_clicks`,
      groupBy: ['power', 'clicked'],
    },
  }
}

function balanceSteps({ dialect }: SqlView): Step[] {
  const { double, number, sum } = dialect
  const one = number(1)
  // Of a row that breaks a rule, nothing: nothing is estimated then.
  const inverse = `CASE WHEN b > ${number(0)} THEN ${one} / b END`
  const stake = `shown * (${one} - row_count / inverses) / greatest(row_count - shown, ${number(1e-9)} * row_count)`
  const most = `shown * ln(${one} + stake * inverses / shown) - row_count * ln(${one} + stake)`
  const nearest = `exp(-${number(Math.LN2)} * greatest(${number(0)}, least(${number(31)}, ${double(`floor(${number(0.5)} - ln(stake) / ${number(Math.LN2)})`)})))`
  const stakeAt = (step: number): string => `least(${one}, bet * ${number(2 ** step)})`
  return [
    {
      name: 'items_above',
      about: 'Items with a sum above that, and the bet that would gain most from it.',
      select: {
        columns: [
          'shown_item',
          'shown',
          'inverses',
          'row_count',
          'judged',
          named(`CASE WHEN inverses > row_count THEN ${stake} END`, 'stake'),
        ],
        from: `(SELECT item_rows.*, ${double(`sum(CASE WHEN shown >= ${number(FEWEST_SHOWN)} THEN 1 ELSE 0 END) OVER ()`)} AS judged, row_count FROM item_rows CROSS JOIN counts) AS all_items`,
        where: `shown >= ${number(FEWEST_SHOWN)} AND inverses > ${number(MATERIAL)} * row_count`,
      },
    },
    {
      name: 'suspects',
      about: 'Those of them that chance may not explain.',
      select: {
        columns: ['shown_item', 'shown', 'inverses', 'row_count', 'judged', named(nearest, 'bet')],
        from: `(SELECT items_above.*, ${most} AS most FROM items_above WHERE stake > ${number(0)}) AS weighed_items`,
        where: `most > ln(judged / ${number(ALPHA)})`,
        orderBy: 'most DESC',
        limit: CLOSER_LOOKS,
      },
    },
    {
      name: 'suspect_users',
      about: 'Their sums by user, and what bets of nine sizes gain.',
      select: {
        columns: [
          named('weighed.shown_item', 'shown_item'),
          'weighed.cluster',
          named(sum(inverse), 'own_inverses'),
          ...STAKE_STEPS.map((step, k) =>
            named(sum(`CASE WHEN b > ${number(0)} THEN ln(${one} + ${stakeAt(step)} / b) END`), `gain_${k}`),
          ),
        ],
        from: 'weighed JOIN suspects ON weighed.shown_item = suspects.shown_item',
        groupBy: ['weighed.shown_item', 'weighed.cluster'],
      },
    },
    {
      name: 'suspect_sums',
      about: 'The same by item; users who saw it again and again do not count as many.',
      select: {
        columns: [
          'shown_item',
          named(sum(`own_inverses * own_inverses - ${number(2)} * own_inverses * n`), 'squares'),
          ...STAKE_STEPS.map((_, k) => named(sum(`gain_${k}`), `gain_${k}`)),
        ],
        from: 'suspect_users JOIN by_user ON suspect_users.cluster = by_user.cluster',
        groupBy: ['shown_item'],
      },
    },
  ]
}
