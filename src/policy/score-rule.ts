import { badOption, HindcastError } from '../error.js'

/**
 * How scores become probabilities: the best item, ties sharing; one of the k best, equally often; the best, or with
 * probability ε any scored item; softmax(score/temperature); or in proportion to 1/rank. All but softmax depend on the order
 * of the scores alone, whatever their scale.
 */
export type ScoreRule =
  | { readonly kind: 'best' }
  | { readonly kind: 'top'; readonly k: number }
  | { readonly kind: 'epsilon'; readonly epsilon: number }
  | { readonly kind: 'softmax'; readonly temperature: number }
  | { readonly kind: 'rank' }

/**
 * How much a policy is to explore: softmax at the temperature at which its effective sample size is a share of a log's rows,
 * or at which its mean entropy is a share of the largest possible. Such a rule needs the log to become a policy.
 */
export type MatchedRule = { readonly kind: 'ess' | 'entropy'; readonly share: number }

/** What can be asked of scores: a rule, or an amount of exploration. */
export type AskedRule = ScoreRule | MatchedRule

export const isMatched = (rule: AskedRule): rule is MatchedRule =>
  rule.kind === 'ess' || rule.kind === 'entropy'

/** Softmax at a temperature, above 0; `Infinity` shows all scored items alike. */
export const softmaxAt = (temperature: number): ScoreRule => ({ kind: 'softmax', temperature })

/** A rule that goes by the order of the items from the best down: on a page, each slot by what is not yet shown. */
export type SortedRule = Extract<ScoreRule, { readonly kind: 'best' | 'epsilon' }>

export const isSorted = (rule: AskedRule): rule is SortedRule =>
  rule.kind === 'best' || rule.kind === 'epsilon'

/** What can be typed after an @, and what it means. */
export interface RuleForm {
  /** The letter that stands for its number, and a number to start from; absent where it has none. */
  readonly number?: { readonly letter: string; readonly example: number }
  /** What it shows, given its number: “one of the 3 best items, equally often”. */
  meaning(number: string): string
  /** What else is to be known before it is chosen. */
  readonly more?: string
}

/** Every rule, in the order in which they are offered. */
export const SCORE_RULES: Readonly<Record<AskedRule['kind'], RuleForm>> = {
  best: {
    meaning: () => 'always the best item',
    more: 'on pages a sorted list, each slot the best item not yet shown',
  },
  top: {
    number: { letter: 'K', example: 3 },
    meaning: (k) => (k === '1' ? 'the best item' : `one of the ${k} best items, equally often`),
  },
  epsilon: {
    number: { letter: 'E', example: 0.1 },
    meaning: (epsilon) => `the best item, or with probability ${epsilon} any scored item`,
  },
  softmax: {
    number: { letter: 'T', example: 1 },
    meaning: (temperature) =>
      temperature === 'Infinity'
        ? 'all scored items equally often'
        : `in proportion to exp(score/${temperature})`,
    more: 'depends on the scale of the scores',
  },
  rank: { meaning: () => 'in proportion to 1/rank' },
  ess: {
    number: { letter: 'S', example: 0.2 },
    meaning: (share) => `softmax, at an effective sample size of ${share} of the rows`,
  },
  entropy: {
    number: { letter: 'S', example: 0.5 },
    meaning: (share) => `softmax, at a mean entropy of ${share} of log(items)`,
  },
}

const ALL = Object.keys(SCORE_RULES) as AskedRule['kind'][]

/** Rules that need no log: those that a table of an engine can follow. */
const WITHOUT_LOG = ALL.filter((kind) => kind !== 'ess' && kind !== 'entropy')

/** The rules in words, one after the other: `@best (always the best item; …); @top=K (…)`, or after a name of scores with numbers to start from. */
function listRules(kinds: readonly AskedRule['kind'][], scores?: string): string {
  const one = (kind: AskedRule['kind']): string => {
    const { number, meaning, more } = SCORE_RULES[kind]
    const given = number && String(scores === undefined ? number.letter : number.example)
    return `${scores ?? ''}@${kind}${given === undefined ? '' : `=${given}`} (${meaning(given ?? '')}${more === undefined ? '' : `; ${more}`})`
  }
  return kinds.map(one).join(', ')
}

/** What can be typed after scores, for help. */
export const RULES_TEXT = listRules(ALL)

/** Targets of scores as they are typed, one for each rule; `isInEngine` leaves out those that need the log in memory. */
export const targetsByRule = (scores: string, isInEngine = false): string =>
  listRules(isInEngine ? WITHOUT_LOG : ALL, scores)

/** What a rule shows, in words: “one of the 3 best items, equally often”. */
export const ruleMeaning = (rule: AskedRule): string =>
  SCORE_RULES[rule.kind].meaning(String(numberOf(rule) ?? ''))

/** The number of a rule; undefined where it has none. */
export function numberOf(rule: AskedRule): number | undefined {
  switch (rule.kind) {
    case 'best':
    case 'rank':
      return undefined
    case 'top':
      return rule.k
    case 'epsilon':
      return rule.epsilon
    case 'softmax':
      return rule.temperature
    default:
      return rule.share
  }
}

/** The error for scores of which nobody said how they are shown. */
export const noRule = (scores: string, isInEngine = false): HindcastError =>
  badOption(
    `${scores}: scores are no policy until a rule says how items are shown by them.`,
    `Say which, for example: ${targetsByRule(scores, isInEngine)}.`,
  )

/** Reads `best`, `top=5`, `epsilon=0.1`, `softmax=0.5` or `rank`; `remedy` ends the error about anything else. */
export function parseScoreRule(typed: string, remedy = ''): ScoreRule {
  const rule = parseAskedRule(typed, remedy)
  if (!isMatched(rule)) return rule
  throw badOption(
    `Scores alone cannot become probabilities by @${typed}: it takes a log in memory to choose the temperature.`,
    `Use ${listRules(WITHOUT_LOG)}. ${remedy}`.trim(),
  )
}

/** Reads what `parseScoreRule` does, and `ess=0.2` or `entropy=0.5`. */
export function parseAskedRule(typed: string, remedy = ''): AskedRule {
  const [kind, argument] = typed.split(/=(.*)/s, 2) as [string, string | undefined]
  const number = argument === undefined || argument.trim() === '' ? NaN : Number(argument)
  const refuse = (why: string): HindcastError => wrongRule(typed, why, remedy)
  switch (kind) {
    case 'best':
    case 'rank':
      if (argument === undefined) return { kind }
      throw refuse(`${kind} takes no number`)
    case 'top':
      if (Number.isSafeInteger(number) && number >= 1) return { kind, k: number }
      throw refuse('top needs a whole number of items from 1 on')
    case 'epsilon':
      if (number === 0) throw refuse('without any other item, this is the best item: @best')
      if (number > 0 && number <= 1) return { kind, epsilon: number }
      throw refuse('epsilon needs a probability above 0, at most 1')
    case 'softmax':
      if (number > 0) return { kind, temperature: number }
      throw refuse('softmax needs a temperature above 0, or Infinity for all scored items alike')
    case 'ess':
    case 'entropy':
      if (number > 0 && number < 1) return { kind, share: number }
      throw refuse(`${kind} needs a share above 0 and below 1`)
    default: {
      const now = newSpelling(typed)
      throw refuse(now === undefined ? 'there is no such rule' : `this is now written @${now}`)
    }
  }
}

/** How a rule that was typed in a former way is written now: `softmax=0.5` for `0.5`. */
function newSpelling(typed: string): string | undefined {
  const [kind, argument] = typed.trim().toLowerCase().split(/[:=]/, 2) as [string, string | undefined]
  const now =
    kind === 'greedy'
      ? argument === undefined || Number(argument) === 0
        ? 'best'
        : `epsilon=${argument}`
      : kind === 'top' || kind === 'topk'
        ? `top=${argument}`
        : kind === 'infinity'
          ? 'softmax=Infinity'
          : kind !== '' && !Number.isNaN(Number(kind)) && argument === undefined
            ? `softmax=${kind}`
            : argument === undefined
              ? kind
              : `${kind}=${argument}`
  try {
    return now === typed ? undefined : scoreRuleText(parseAskedRule(now))
  } catch {
    return undefined
  }
}

const wrongRule = (typed: string, why: string, remedy: string): HindcastError =>
  badOption(`Scores cannot become probabilities by @${typed}: ${why}.`, `Use ${RULES_TEXT}. ${remedy}`.trim())

/** As it is typed: `best`, `top=5`, `softmax=0.5`, `ess=0.2`. */
export function scoreRuleText(rule: AskedRule): string {
  const number = numberOf(rule)
  return number === undefined ? rule.kind : `${rule.kind}=${number}`
}

/** What results call a policy that follows scores by a rule. */
export const ruledName = (scores: string, rule: AskedRule): string => `${scores}@${scoreRuleText(rule)}`

/** Splits the name of a policy into the scores that it follows and its rule. An @ that no rule follows belongs to the name. */
export function splitRuledName(name: string): { readonly scores: string; readonly rule?: AskedRule } {
  const [, scores, typed] = /^(.+)@([^@/\\]*)$/.exec(name) ?? []
  if (scores === undefined) return { scores: name }
  try {
    return { scores, rule: parseAskedRule(typed!) }
  } catch {
    return { scores: name }
  }
}

/** The name of a policy less its rule: the scores that it follows. */
export const withoutRule = (name: string): string => splitRuledName(name).scores
