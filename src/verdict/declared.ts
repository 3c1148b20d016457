import { type Advice, advice, set, split } from '../advice.js'
import type { PropensitySource } from '../log/log.js'
import { formatShare } from '../number-text.js'
import type { Origin, PolicyMade } from '../policy/policy.js'
import { type Fact, FACTS, type Said } from './said.js'
import type { Reason } from './verdict.js'

/** What the first question of a verdict goes by: what the user says of the log and the policy, and what is known without asking. */
export interface Declared {
  /** The name of the policy. */
  readonly target: string
  readonly said?: Said | undefined
  /** Where the policy comes from, as far as that is known without asking. */
  readonly origin?: Origin | undefined
  /** Of the propensities that weights use; `none` where they use none, as for the logging policy. */
  readonly propensitySource: PropensitySource
  /** What was not said is a caution (default: it is listed as taken for granted). */
  readonly strict?: boolean | undefined
  /** The estimate is what a model predicts. */
  readonly estimateTakesModelAsTrue?: boolean | undefined
}

/** The answer to the first question. */
export interface DeclaredAnswer {
  /** The worst first. */
  readonly reasons: readonly Reason[]
  /** What the answer takes for granted, since nobody said it. */
  readonly notSaid: readonly Fact[]
  /** The same in one line; null where nothing is taken for granted. */
  readonly line: string | null
}

/** How a fact is said: as what is taken for granted, and what is wrong where it is not so. */
interface FactWords {
  /** As the end of "Taken for granted: …". */
  readonly holds: string
  /** The code of the reason where it does not hold. */
  readonly code: string
  readonly fails: string
}

/** The facts that only the user can know, in words. */
export const FACT_WORDS: Readonly<Record<Fact, FactWords>> = {
  'drawn-propensities': {
    holds: 'propensities were recorded when items were drawn, for the item shown after all rules',
    code: 'propensities-not-drawn',
    fails:
      'Propensities were not recorded when items were drawn. If they are not those of the items shown, the weights are wrong, and no check may see it.',
  },
  complete: {
    holds: 'the log has every decision',
    code: 'log-incomplete',
    fails:
      'Some decisions are missing from the log. If what is missing earned more or less than the rest, the estimate is wrong by that much.',
  },
  'joined-by-impression': {
    holds: 'rewards are joined by impression, and had time to arrive',
    code: 'rewards-not-joined-by-impression',
    fails:
      'Rewards are not joined by impression, or were still arriving. Rows may have the rewards of others, or none yet.',
  },
  'item-only': {
    holds: 'the policy decides the item alone, not its place or size',
    code: 'more-than-the-item',
    fails:
      'The policy decides more than the item. In another place or size an item earns something else, which this log does not show.',
  },
  people: {
    holds: 'each user id is one person',
    code: 'ids-not-people',
    fails:
      'A user id is not one person. Rows of one person count as those of several, so intervals are too narrow.',
  },
}

/** What to do about a reason of `declaredReasons`, by its code. */
export const DECLARED_REMEDIES: Readonly<Record<string, Advice>> = {
  'trained-on-this-log': advice`Make the policy from one part of the log and evaluate it on another, which ${split} writes with its hash.`,
  'policy-of-unknown-origin': advice`Say where it was made with ${set('policyMade', 'elsewhere')}, or held-out or this-log.`,
}

/** How to say what is taken for granted. */
export const SAY_SO: Advice = advice`Say which facts hold and which do not: for example, ${set('said', 'complete=yes,people=no')} says that all decisions are in the log, and that user ids are not people.`

/**
 * The first question of a verdict: what does the user say of the log? *No* is a caution with its reason, and a policy made from
 * this log is refused. What was not said is taken for granted in one line, except where the policy comes from: of unknown origin
 * it is a caution. Propensities that were estimated or assumed, and a model taken as true, are cautions too.
 */
export function declaredReasons(declared: Declared): DeclaredAnswer {
  const { said, propensitySource, strict = false, estimateTakesModelAsTrue = false } = declared
  const asked = FACTS.filter((fact) => fact !== 'drawn-propensities' || propensitySource === 'logged')
  const denied = asked.filter((fact) => said?.facts?.[fact] === false)
  const notSaid = asked.filter((fact) => said?.facts?.[fact] === undefined)
  return {
    reasons: [
      ...madeReasons(declared),
      ...propensityReasons(propensitySource),
      ...(estimateTakesModelAsTrue ? [modelTakenAsTrue] : []),
      ...denied.map((fact) => caution(FACT_WORDS[fact].code, FACT_WORDS[fact].fails)),
      ...(strict
        ? notSaid.map((fact) => caution(`${fact}-not-said`, `Nobody said that ${FACT_WORDS[fact].holds}.`))
        : []),
    ],
    notSaid,
    line:
      strict || notSaid.length === 0
        ? null
        : `Taken for granted: ${notSaid.map((fact) => FACT_WORDS[fact].holds).join('; ')}.`,
  }
}

/**
 * Where a policy comes from. A rule, a part of a split and a stamp that names this log are certain; a stamp of another log says
 * nothing of what else went into a policy, so that what is said outweighs it.
 */
function policyMadeOf({ said, origin }: Pick<Declared, 'said' | 'origin'>): PolicyMade | undefined {
  const isCertain = origin?.made === 'this-log' || (origin?.made !== undefined && origin.share === undefined)
  return isCertain ? origin.made : (said?.policyMade ?? origin?.made)
}

function madeReasons({ target, said, origin }: Declared): Reason[] {
  const made = policyMadeOf({ said, origin })
  if (made === 'this-log') return [madeFromThisLog(target, origin)]
  if (made !== undefined) return []
  const share = origin?.share
  const why =
    share === undefined
      ? `Nothing says where ${target} was made.`
      : `${formatShare(share)} of this log’s rows show a user an item that ${target} was made from. Without times nothing says whether they are the same rows.`
  return [
    {
      ...caution(
        'policy-of-unknown-origin',
        `${why} If it was made from the rewards of this log, the estimate is too high.`,
      ),
      value: share ?? null,
    },
  ]
}

function madeFromThisLog(target: string, origin: Origin | undefined): Reason {
  const share = origin?.made === 'this-log' ? origin.share : undefined
  const rows =
    share === undefined ? 'this log' : share === 1 ? 'these rows' : `${formatShare(share)} of these rows`
  return {
    ...caution(
      'trained-on-this-log',
      `${target} was made from ${rows}, and shows again what was clicked by chance. The estimate is too high, by more than its interval shows.`,
    ),
    level: 'refuse',
    value: share ?? null,
  }
}

function propensityReasons(source: PropensitySource): Reason[] {
  if (source !== 'estimated' && source !== 'assumed') return []
  return [
    caution(
      `propensities-${source}`,
      `The propensities are ${source}, not logged: the estimate is only as good as they are.`,
    ),
  ]
}

const caution = (code: string, message: string): Reason => ({
  code,
  level: 'caution',
  question: 'declared',
  shift: null,
  driver: null,
  message,
  value: null,
})

const modelTakenAsTrue = caution(
  'model-taken-as-true',
  'This is what a reward model predicts, and its interval assumes that the model is right.',
)
