import { HindcastError } from '../error.js'
import { given } from '../given.js'
import {
  COMBINATIONS,
  type JoinOptions,
  type LogParts,
  parseKinds,
  parseOutcomeMapping,
  parseWait,
  partsOf,
} from '../log/join/join-options.js'
import { splitMapping } from '../log/layout.js'
import { isWarehouseLog, nameOfRows, type WarehouseLog } from '../node/warehouse/warehouse-log.js'
import type { Arguments, Option } from './command.js'
import { number, oneOf, onlyPositional, text } from './parse.js'
import { JOINING_OPTIONS, warehouseLog } from './warehouse-options.js'

/** The options of logs whose rewards are events of their own. */
export const JOIN_OPTIONS: Readonly<Record<string, Option>> = {
  decisions: {
    value: 'FILE',
    help: 'instead of LOG: what was shown, without rewards; --outcomes has what it earned. With a warehouse as LOG, a table there, or a query in parentheses; likewise for --outcomes and --events',
  },
  outcomes: {
    value: 'FILE',
    help: 'clicks, orders or conversions as separate events, joined to the decisions by id',
  },
  events: {
    value: 'FILE',
    help: 'instead of LOG: decisions and outcomes as events of one file, distinguished by --kind',
  },
  kind: {
    value: 'COLUMN:V=KIND,…',
    help: 'which events of --events are what: event:impression=decision,click=outcome; others are left out',
  },
  'outcome-columns': {
    value: 'MAP',
    help: 'columns of the outcomes: "decision=impression_id,time=clicked_at,reward=price * quantity,id=click_id"; item=NAME where one id stands for a page. By default they are found by name, and each event counts as 1 unless there is a column reward',
  },
  wait: {
    value: 'TIME',
    help: 'count outcomes up to this long after their decision: 30s, 10m, 2h, 7d (default: however late)',
  },
  'default-reward': { value: 'N', help: 'the reward of decisions without an outcome (0)' },
  reward: {
    value: 'WHICH',
    help: `what several outcomes of one decision are worth: ${COMBINATIONS.join(', ')} (default first, by time)`,
  },
  'match-ids': {
    value: 'HOW',
    help: 'exact (default), or loose: ids that differ in capitals, in blanks at their ends or by .0 are the same',
  },
}

/** Where the log is: a file, its parts, or a warehouse. */
export type NamedLog = string | LogParts<string> | WarehouseLog

/** What messages call a log. */
export const nameOfLog = (log: NamedLog): string =>
  typeof log === 'string' ? log : isWarehouseLog(log) ? nameOfRows(log) : partsOf(log).decisions

/** The files that a log is read from. */
export const filesOf = (log: NamedLog): string[] => {
  if (typeof log === 'string') return [log]
  if (isWarehouseLog(log)) return []
  const { decisions, outcomes } = partsOf(log)
  return [...new Set([decisions, outcomes])]
}

const needs = (message: string, remedy: string): HindcastError =>
  new HindcastError('bad-option', message, { remedy })

/** The log that a command was given: LOG, which may be in a warehouse, --decisions with --outcomes, or --events with --kind. */
export function logNamed(args: Arguments, command: string): NamedLog {
  const inWarehouse = warehouseLog(args, command)
  if (inWarehouse) return inWarehouse
  const [decisions, outcomes, events, kind] = ['decisions', 'outcomes', 'events', 'kind'].map((name) =>
    text(args, name),
  )
  const named = [...args.positionals, ...[decisions, events].filter((file) => file !== undefined)]
  if (named.length > 1 && (decisions ?? events) !== undefined)
    throw needs(
      `hindcast ${command} was given more than one log: ${named.join(' and ')}.`,
      'Name the log once: as LOG, with --decisions, or with --events.',
    )
  const file = decisions ?? events ?? onlyPositional(args, command, 'a log')
  if (outcomes !== undefined && (kind ?? events) !== undefined)
    throw needs(
      '--outcomes and --kind exclude each other.',
      'Use --outcomes for a second file, or --events with --kind for events of one file.',
    )
  if (outcomes !== undefined) return { decisions: file, outcomes }
  if (kind !== undefined && decisions === undefined) return { events: file, kinds: parseKinds(kind) }
  if (events !== undefined)
    throw needs(
      '--events needs to know which events are decisions.',
      'For example: --kind event:impression=decision,click=outcome',
    )
  const lone =
    decisions === undefined ? JOINING_OPTIONS.find((name) => args.values[name] !== undefined) : 'decisions'
  if (lone !== undefined) throw needs(`--${lone} needs outcomes to join.`, 'Name their file with --outcomes.')
  return file
}

/** How to join, and the mapping of columns without the id of decisions; no join where none is asked for. */
export function joinOptions(args: Arguments): { join?: JoinOptions; columns?: string } {
  const columns = text(args, 'columns')
  if (text(args, 'outcomes') === undefined && text(args, 'kind') === undefined) return given({ columns })
  const pairs = columns === undefined ? [] : splitMapping(columns)
  const decision = pairs.find((pair) => /^\s*decision\s*=/.test(pair))
  const others = pairs.filter((pair) => pair !== decision)
  const [outcomeColumns, wait] = [text(args, 'outcome-columns'), text(args, 'wait')]
  const defaultReward = number(args, 'default-reward')
  if (defaultReward !== undefined && !Number.isFinite(defaultReward))
    throw needs('--default-reward expects a finite number.', 'For example: --default-reward 0')
  return {
    join: given({
      decision: decision?.slice(decision.indexOf('=') + 1).trim(),
      outcomeColumns: outcomeColumns === undefined ? undefined : parseOutcomeMapping(outcomeColumns),
      wait: wait === undefined ? undefined : parseWait(wait),
      defaultReward,
      several: oneOf(args, 'reward', COMBINATIONS),
      matchIds: oneOf(args, 'match-ids', ['exact', 'loose'] as const),
    }),
    ...(others.length > 0 && { columns: others.join(',') }),
  }
}
