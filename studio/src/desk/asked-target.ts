import { HindcastError } from '$core/error.js'
import { policyBy } from '$core/estimate/match-exploration.js'
import { popularityTargets } from '$core/estimate/popularity-targets.js'
import type { Target } from '$core/estimate/target.js'
import { neighboursOf } from '$core/graph/graph.js'
import type { Log } from '$core/log/log.js'
import { countRows } from '$core/log/row-groups.js'
import type { Model } from '$core/model/model.js'
import { modelPolicy } from '$core/model/model-policy.js'
import { familyOf, withOrigin } from '$core/policy/ruled-policy.js'
import type { Policy, PolicyFamily } from '$core/policy/policy.js'
import { policyFamily } from '$core/policy/policy-family.js'
import { uniformPolicy } from '$core/policy/probabilities.js'
import type { World } from '$core/world/world.js'
import { columnOverUnseen, type HeldOutRows, heldOutRows } from './held-out-rows.js'
import { held } from './held.js'
import { keptModel } from './models.js'
import { isWhole, ownPolicy } from './own-policies.js'
import { type Part, rowsInPart } from './part.js'
import type { EvaluationChoices, EvaluationQuestion, TargetChoice, TrainingPart } from './target-choice.js'
import { unseenPolicy } from './unseen-policy.js'

/** The rows that policies are evaluated on: the whole log, or those held out from training, with what these leave out. */
export type ValuedRows = { readonly log: Log } & Partial<HeldOutRows>

/** A policy made ready for its rows. */
export interface AskedTarget {
  readonly target: Target
  /** The rows, with the target column where the target is one. */
  readonly log: Log
  /** What each user would be shown; unknown where the log has a column only. */
  readonly policy?: Policy
}

const heldOut = new WeakMap<Log, Map<string, HeldOutRows>>()

/**
 * The rows on which policies are evaluated side by side: the whole log, unless one of them is a model that was trained
 * on it. Then all of them are evaluated on the rows held out from training, over items not seen in training. Of these
 * rows only those of a part, where one was chosen.
 */
export function rowsFor(log: Log, targets: readonly TargetChoice[], part?: Part): ValuedRows {
  const rows = allRowsFor(log, targets)
  return { ...rows, log: rowsInPart(rows.log, part, log) }
}

function allRowsFor(log: Log, targets: readonly TargetChoice[]): ValuedRows {
  const parts = new Map<string, TrainingPart>()
  for (const target of targets)
    if (target.kind === 'model') parts.set(JSON.stringify(target.training), target.training)
  const [first, second] = parts
  if (!first) return { log }
  if (second)
    throw new HindcastError('bad-option', 'The two models were trained on different parts of the log.', {
      remedy:
        'Train both with the same seed and the same held-out rows, so that both can be tested on the same ones.',
    })
  const [key, part] = first
  const known = heldOut.get(log) ?? new Map<string, HeldOutRows>()
  heldOut.set(log, known)
  const rows = known.get(key) ?? heldOutRows(log, part)
  known.set(key, rows)
  return rows
}

/** The options for those rows: what is known of the whole log is not known of others. */
export const choicesFor = (
  { shown }: ValuedRows,
  part: Part | undefined,
  { totals, ...choices }: EvaluationChoices,
): EvaluationChoices => (part || shown || !totals ? choices : { ...choices, totals })

/** The policy that was chosen, for those rows; `world` is the one that the whole log was drawn from, if any. */
export async function targetOn(
  rows: ValuedRows,
  choice: TargetChoice,
  { log: whole, world }: { readonly log: Log; readonly world?: World },
): Promise<AskedTarget> {
  const { log, shown } = rows
  const restricted = (policy: Policy): Policy => (shown ? unseenPolicy(policy, shown.byUser) : policy)
  switch (choice.kind) {
    case 'logging':
      return { target: choice, log, ...(world && { policy: restricted(world.logging) }) }
    case 'column':
      return {
        target: choice,
        log: shown && log.target ? { ...log, target: columnOverUnseen(rows as HeldOutRows) } : log,
      }
    case 'uniform': {
      const policy = restricted(uniformPolicy(log.itemIds.length))
      return { target: shown ? { kind: 'policy', policy } : choice, log, policy }
    }
    case 'popularity': {
      const family = popularityOf(whole)
      const { policy } = policyBy({ by: (rule) => restricted(family.by(rule)) }, choice.rule, log)
      return { target: { kind: 'policy', policy }, log, policy }
    }
    case 'own': {
      const policy = restricted((await ownPolicy(choice)).policy)
      return { target: { kind: 'policy', policy }, log, ...(isWhole(policy) && { policy }) }
    }
    case 'model': {
      const { policy } = policyBy(modelPoliciesOn(rows as HeldOutRows, choice), choice.rule, log)
      return { target: { kind: 'policy', policy }, log, policy }
    }
  }
}

/** The policy of a question on the rows that it is evaluated on; `beside` are the policies that share them. */
export function askedOn(
  { target, part }: Pick<EvaluationQuestion, 'target' | 'part'>,
  beside: readonly TargetChoice[] = [target],
): Promise<AskedTarget> {
  const open = held()
  return targetOn(rowsFor(open.log, beside, part), target, open)
}

/** The true mean reward of a policy per impression. On held-out rows, users count once per row. */
export function trueValueOn({ log, shown }: ValuedRows, policy: Policy, world: World): number {
  if (!shown) return world.value(policy)
  let total = 0
  countRows(log.user, log.userIds.length).forEach((rows, user) => {
    if (rows === 0) return
    const expected = policy
      .probabilities(user)
      .reduce((sum, probability, item) => sum + probability * world.clickRate(user, item), 0)
    total += rows * expected
  })
  return total / log.rows
}

const popularity = new WeakMap<Log, PolicyFamily>()

function popularityOf(log: Log): PolicyFamily {
  const family = popularity.get(log) ?? popularityTargets(log)
  popularity.set(log, family)
  return family
}

/** Scores are kept, so that another rule is quick, unless there are more of them than this. */
const MOST_SCORES = 5e7
/** A model of this session is evaluated on rows that its training did not see. */
const HELD_OUT = { made: 'held-out' } as const
const families = new WeakMap<Model, WeakMap<Log, PolicyFamily>>()

function modelPoliciesOn(
  { log, shown }: HeldOutRows,
  { id, name }: Extract<TargetChoice, { kind: 'model' }>,
): PolicyFamily {
  const model = keptModel(id)
  const exclude = shown.byUser
  if (model.users * model.items > MOST_SCORES)
    return familyOf((rule) => withOrigin(modelPolicy(model, rule, { name, exclude }), HELD_OUT))
  const known = families.get(model) ?? new WeakMap<Log, PolicyFamily>()
  families.set(model, known)
  const scores = (user: number): Float32Array => {
    const row = model.scores(user)
    for (const item of neighboursOf(exclude, user)) row[item] = -Infinity
    return row
  }
  const family = known.get(log) ?? policyFamily(name, scores, { items: model.items })
  known.set(log, family)
  return familyOf((rule) => withOrigin(family.by(rule), HELD_OUT))
}
