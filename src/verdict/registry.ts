import { HindcastError } from '../error.js'
import { CHECKS } from './checks/index.js'
import { FACTS } from './said.js'
import type { Question } from './verdict.js'

/** What a reason is about: the rows of a log, what its owner says, an estimate, pages, a segment, several loggers, or joined tables. */
type Scope = 'rows' | 'owner' | 'totals' | 'estimate' | 'pages' | 'segment' | 'loggers' | 'join'

/** One reason that a verdict may have, as tables and schemas describe it. Checks of the rows bring their queries and their judgement, too. */
export interface ReasonRecord {
  readonly code: string
  readonly scope: Scope
  readonly question: Question
  /** What is found, as the end of "finds …". */
  readonly finds: string
  readonly helps: string
}

const JOIN_BY_ID = 'Join events by the id of the decision, each once, and export them after the last wait.'
const EXPORT_ALL = 'Export all impressions, and compare again.'
const ASK_BILLING = 'Look for where they are lost: clients, filters, exports.'

/** Reasons whose facts are at hand when an estimate is judged, by scope and question. */
const OTHERS: Readonly<
  Record<Exclude<Scope, 'rows'>, Readonly<Record<string, readonly [Question, string, string]>>>
> = {
  owner: {
    'policy-of-unknown-origin': [
      'declared',
      'policies of which nothing says where they were made',
      'Say where the policy was made.',
    ],
    'propensities-estimated': [
      'declared',
      'propensities that were estimated',
      'Log the probability with which each item was drawn.',
    ],
    'propensities-assumed': [
      'declared',
      'propensities that were assumed',
      'Log the probability with which each item was drawn.',
    ],
    'propensities-not-drawn': [
      'declared',
      'propensities that its owner says were not recorded when items were drawn',
      'Record them when items are drawn.',
    ],
    'log-incomplete': ['declared', 'a log that its owner says lacks decisions', EXPORT_ALL],
    'rewards-not-joined-by-impression': [
      'declared',
      'rewards that its owner says are of other rows, or not all there yet',
      JOIN_BY_ID,
    ],
    'more-than-the-item': [
      'declared',
      'a policy that decides the place or size of an item too',
      'Log place and size as part of the item.',
    ],
    'ids-not-people': [
      'declared',
      'ids that its owner says are not people',
      'Cluster by the column that comes closest to a person.',
    ],
    ...Object.fromEntries(
      FACTS.map((fact): [string, [Question, string, string]] => [
        `${fact}-not-said`,
        [
          'declared',
          'a fact that nobody stated, where all have to be',
          'State it, or that it does not hold.',
        ],
      ]),
    ),
  },
  totals: {
    'rows-missing': ['rewards', 'fewer rows than are known', EXPORT_ALL],
    'rows-doubled': ['rewards', 'more rows than are known', 'Leave out copies, by the id of the impression.'],
    'rows-thinned': ['rewards', 'fewer rows without rewards than are known', EXPORT_ALL],
    'rewards-missing': ['rewards', 'smaller rewards than are known', ASK_BILLING],
    'rewards-doubled': ['rewards', 'larger rewards than are known', JOIN_BY_ID],
    'days-differ': [
      'rewards',
      'days that differ though their sums agree',
      'Let days begin at the same hour.',
    ],
  },
  estimate: {
    unsupported: [
      'overlap',
      'items that the policy shows and the log never shows',
      'Evaluate a policy that shows what the log shows; the nearest such question is answered.',
    ],
    dominated: ['overlap', 'one row or page with a quarter of all weight', 'Ask for a softer policy.'],
    'mean-weight': [
      'propensities',
      'weights that do not average 1',
      'See whether propensities and probabilities of the policy are of the same candidates.',
    ],
    'no-answer': ['overlap', 'an estimate without value or interval', 'Its sentence says what is missing.'],
    'not-computed': [
      'overlap',
      'facts that a source could not compute',
      'Evaluate the log in memory, where every fact is known.',
    ],
    'model-taken-as-true': ['declared', 'a prediction of a reward model', 'Take DR, which corrects it.'],
    'shrinking-bias': ['overlap', 'shrunken weights that moved the answer', 'Take SNIPS or DR.'],
    'lambda-from-data': ['overlap', 'a λ chosen from the same rewards', 'Give one.'],
  },
  pages: {
    'slate-propensities': [
      'propensities',
      'propensities of pages that are not of the kind that was stated, or of none',
      'Say which kind they are.',
    ],
    'rows-of-pages': [
      'propensities',
      'an estimate from single rows of pages that have to be weighed whole',
      'Take an estimator of pages, such as SN-RIPS.',
    ],
    'slots-interact': [
      'rewards',
      'slots whose rewards depend on each other',
      'Take an estimator that allows for it, such as RIPS.',
    ],
    'dependent-slots': [
      'propensities',
      'slots that were not drawn independently',
      'Take an estimator that allows for it, such as RIPS.',
    ],
  },
  segment: {
    'too-small': ['overlap', 'a segment of too few rows', 'Join it with others.'],
    'label-is-outcome': [
      'rewards',
      'segments by what was known only after the reward',
      'Divide by what was known before.',
    ],
  },
  loggers: {
    'loggers-disagree': [
      'propensities',
      'loggers whose own rows give different answers',
      'Evaluate each by itself, and see which propensities are wrong.',
    ],
  },
  join: {
    'repeated-decisions': ['rewards', 'decisions with an id that came before', 'Export each decision once.'],
    'wrong-id-column': ['rewards', 'ids of different things', 'Join the columns that it names.'],
    'orphan-outcomes': ['rewards', 'outcomes of decisions that are not in the log', EXPORT_ALL],
    'ids-written-differently': ['rewards', 'ids that differ in how they are written', 'Match them loosely.'],
    'outcomes-of-another-period': ['rewards', 'outcomes of another time', 'Export both for the same days.'],
    'outcomes-incomplete': ['rewards', 'hours without any outcome', ASK_BILLING],
    'outcomes-still-to-come': ['rewards', 'decisions whose wait is not over', 'Leave out the last days.'],
    'time-zones-differ': ['rewards', 'times that differ by whole hours', 'Write both in one time zone.'],
    'outcomes-before-decisions': ['rewards', 'outcomes before their decisions', 'Compare the clocks.'],
    'late-outcomes': ['rewards', 'outcomes after the wait', 'Wait longer.'],
    'duplicate-outcomes': ['rewards', 'outcomes that came twice', JOIN_BY_ID],
    'unreadable-outcomes': ['rewards', 'rewards that are not numbers', 'Say how to read them.'],
    'several-outcomes': ['rewards', 'decisions with several outcomes', 'Say which counts.'],
  },
}

/** Every reason that a verdict may have: those of the checks of rows first. */
export const REASONS: readonly ReasonRecord[] = [
  ...CHECKS.map(
    ({ code, question, finds, helps }) => ({ code, scope: 'rows', question, finds, helps }) as const,
  ),
  ...Object.entries(OTHERS).flatMap(([scope, records]) =>
    Object.entries(records).map(([code, [question, finds, helps]]): ReasonRecord => ({
      code,
      scope: scope as Scope,
      question,
      finds,
      helps,
    })),
  ),
]

const QUESTION_OF: ReadonlyMap<string, Question> = new Map(
  REASONS.map(({ code, question }) => [code, question]),
)

/** The question that a reason answers. */
export function questionOf(code: string): Question {
  const question = QUESTION_OF.get(code)
  if (question) return question
  throw new HindcastError('bad-option', `No reason of a verdict is called ${JSON.stringify(code)}.`, {
    remedy: 'Give it a record in the registry of reasons.',
  })
}
