import { lineReader } from '../bytes/lines.js'
import type { Cell } from '../cell.js'
import type { Format } from './format.js'

/**
 * Vowpal Wabbit's decision-service JSON, one event per line. The reward is minus the cost. The item is the
 * 1-based number of the action shown, or the action's `_tag` where the column `tag` is mapped to it. An event
 * kept with probability 1 − `pdrop` stands for 1/(1 − pdrop) events. There are no user ids: every event
 * is its own user, unless `context` is mapped to the user, which groups equal contexts. The features of the context and
 * of the action shown are kept as JSON, so that paths such as `context.User.age` and `features.id` lead into them.
 */
export const vwDsjson: Format = {
  name: 'vw-dsjson',
  label: 'Vowpal Wabbit JSON',
  family: 'events',
  docs: 'formats.md#vw-dsjson',
  meaning: "Vowpal Wabbit decision-service JSON; reward is minus the cost, pdrop becomes the row's weight.",
  columns: {
    user: 'event_id',
    item: 'action',
    reward: 'reward',
    propensity: 'probability',
    time: 'timestamp',
    weight: 'weight',
  },
  textReader: () => lineReader(NAMES, readEvent),
}

interface DsjsonEvent {
  _label_cost?: number
  _label_probability?: number
  _label_Action?: number
  _labelIndex?: number
  _skipLearn?: boolean
  EventId?: string
  Timestamp?: string
  pdrop?: number
  c?: { _multi?: { _tag?: string }[] } & Record<string, unknown>
}

const NAMES = [
  'event_id',
  'action',
  'tag',
  'reward',
  'probability',
  'timestamp',
  'weight',
  'context',
  'features',
]

/** The cells of an event, or why it is not one. */
function readEvent(line: string, number: number): Cell[] | string {
  let event: DsjsonEvent
  try {
    event = (JSON.parse(line) ?? {}) as DsjsonEvent
  } catch {
    return 'is not JSON'
  }
  const {
    _label_cost: cost,
    _label_probability: probability,
    _label_Action: action,
    _labelIndex: index,
  } = event
  if (typeof cost !== 'number' || typeof probability !== 'number')
    return 'is not a decision: it needs _label_cost and _label_probability'
  if (event._skipLearn === true) return 'was decided but not shown (_skipLearn)'
  if (action === undefined && index === undefined)
    return 'names no action: it needs _label_Action or _labelIndex'
  if (action !== undefined && index !== undefined && action !== index + 1)
    return `names two actions: _label_Action ${action} counts from 1, _labelIndex ${index} from 0`
  const { pdrop = 0 } = event
  if (!(pdrop >= 0 && pdrop < 1)) return `has pdrop ${pdrop}: it must be at least 0 and below 1`
  const place = index ?? action! - 1
  if (!Number.isInteger(place) || place < 0)
    return `names action ${JSON.stringify(index ?? action)}: expected a whole number, from 0 in _labelIndex or from 1 in _label_Action`
  const { _multi: actions, ...context } = event.c ?? {}
  return [
    event.EventId ?? `event ${number}`,
    place + 1,
    actions?.[place]?._tag,
    0 - cost,
    probability,
    event.Timestamp,
    1 / (1 - pdrop),
    JSON.stringify(context),
    JSON.stringify(actions?.[place]),
  ]
}
