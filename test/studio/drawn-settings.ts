import { ESTIMATORS } from '../../src/estimate/estimators/index.js'
import { INTERVALS } from '../../src/estimate/intervals/index.js'
import { randomStream } from '../../src/random/stream.js'

/** One way to ask the page, as its link keeps it. */
export interface DrawnSettings {
  /** Which log: one with everything, one without propensities, or decisions and outcomes in two files. */
  readonly log: 'shown' | 'bare' | 'joined'
  /** What stands in for the propensities of the one without. */
  readonly standIn?: string
  /** The rule by which scores from a file become probabilities. */
  readonly rule: string
  /** `table` and `scores` stand for the policies from files. */
  readonly target: string
  readonly baseline: string
  readonly others: readonly string[]
  /** Days and positions that are looked at, the first and the last. */
  readonly part: { readonly day?: readonly [number, number]; readonly position?: readonly [number, number] }
  /** The other settings of the view, by their names in links. */
  readonly linked: Readonly<Record<string, string>>
}

const LOGS = ['shown', 'shown', 'shown', 'bare', 'joined'] as const

/** Settings drawn at random, the same for the same seed, ordered by log; each has a seed of its own, by which its command is known. */
export function drawSettings(seed: number, count: number): DrawnSettings[] {
  const random = randomStream(seed, 'settings')
  const below = (limit: number): number => Math.floor(random.uniform() * limit)
  const oneOf = <Value>(values: readonly Value[]): Value => values[below(values.length)]!
  const often = (share: number): boolean => random.uniform() < share
  const estimators = ESTIMATORS.all.filter(({ rows }) => rows !== 'categories' && rows !== 'slates')
  const draw = (number: number): DrawnSettings => {
    const log = LOGS[number % LOGS.length]!
    const policies = [
      'uniform',
      'logging',
      'popularity',
      ...(log === 'shown' ? ['table', 'scores', 'table', 'scores'] : []),
    ]
    const target = oneOf(policies)
    const baseline = often(0.4) ? oneOf(policies.filter((name) => name !== target)) : ''
    const others = baseline !== '' && often(0.5) ? policies.slice(0, 3) : []
    const isWhole = log !== 'shown' || often(0.7)
    const days = below(15)
    const interval = oneOf(INTERVALS.names)
    return {
      log,
      ...(log === 'bare' && { standIn: oneOf(['uniform', 'popularity', 'logistic', 'constant:0.2']) }),
      rule: oneOf(['softmax=0.37', 'rank', 'top=3', 'ess=0.3', 'epsilon=0.2', 'best']),
      target,
      baseline,
      others: others
        .filter((name) => name !== target && name !== baseline)
        .map((name) => (name === 'popularity' ? 'popularity@softmax=1' : name)),
      part: isWhole ? {} : often(0.5) ? { day: [days, days + 6] } : { position: [0, 1 + below(2)] },
      linked: {
        'evaluate.rule': oneOf(['softmax=0.5', 'softmax=1', 'softmax=2.5', 'best', 'epsilon=0.3']),
        'evaluate.withRule': oneOf(['softmax=0.7', 'rank']),
        'evaluate.by': oneOf(['snips', 'ips', 'dm', 'dr', 'sndr', 'beta-ips']),
        'evaluate.estimators': estimators
          .map(({ name }) => name)
          .filter((name) => name === 'snips' || often(0.2))
          .join(),
        'evaluate.confidence': String(oneOf([0.8, 0.9, 0.95, 0.99])),
        'evaluate.interval': interval,
        'evaluate.cluster': oneOf(['auto', 'user', 'row', 'day', 'user+day']),
        'evaluate.lambda': oneOf(['', '', '3', '0.5']),
        'evaluate.maxWeight': oneOf(['', '40']),
        'evaluate.tuning': oneOf(['paired', 'slope']),
        'evaluate.bootstrap': String(oneOf([50, 120])),
        'evaluate.seed': String(1000 + number),
        'evaluate.policyMade': oneOf(['', 'elsewhere', 'held-out', 'this-log']),
        'evaluate.facts': oneOf(['', 'complete,people=no', 'item-only']),
        // Totals are of the whole log.
        'evaluate.knownRows': isWhole ? oneOf(['', '9000']) : '',
        'segments.by': isWhole && baseline === '' ? oneOf(['', 'position', 'week', 'device', 'genre']) : '',
      },
    }
  }
  return Array.from({ length: count }, (_, number) => draw(number)).toSorted(
    (a, b) => LOGS.indexOf(a.log) - LOGS.indexOf(b.log),
  )
}
