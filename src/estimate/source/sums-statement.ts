import { advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { PROPENSITIES } from '../../propensity/choices.js'
import type { PropensitySource } from '../../log/log.js'
import { type Batch, textOfQuery } from '../../queries/query.js'
import { batchSteps } from '../../queries/sql-answers.js'
import type { SqlRows } from '../../queries/sql-rows.js'
import { idBucketSql } from '../../sql/id-bucket.js'
import { jointId } from '../../sql/day.js'
import type { ScriptAsked } from '../../sql/script/script-asked.js'
import type { Output } from '../../sql/script/script-format.js'
import { sumsScript } from '../../sql/script/sums-script.js'
import { type SqlTarget, type SqlView, knownPropensity } from '../../sql/weighed-rows.js'
import { DIAGNOSTIC_TERMS, askedTerms } from '../diagnostics.js'
import { isTuned } from '../estimator.js'
import { parseRequest } from '../requests.js'
import { batchOf } from '../../verdict/examine.js'
import type { Term } from '../term.js'
import { waysOf } from '../ways.js'
import { LARGEST, SMALLEST } from './broken-rows.js'
import { noClusterColumn, noDays } from './clusters.js'
import { type RecordedRow, fingerprintOf, recordedParts } from './recorded-rows.js'
import { recordedSource } from './recorded-sums.js'
import { propensitySourceOf } from './sql-facts.js'
import type { About, SumSource } from './source.js'
import { JOINT } from './moments.js'
import { type StatementWay, statementBatch } from './statement-batch.js'

/** A table that a person will ask, and what to ask of it. */
export interface StatementAsked extends Pick<
  ScriptAsked,
  'dialect' | 'relation' | 'target' | 'where' | 'policy' | 'isQuery'
> {
  /** As messages and the result call the table. */
  readonly table: string
  readonly propensity?: ScriptAsked['propensity']
  readonly clickFrom?: ScriptAsked['clickFrom']
  /** Names, with a colon and λ where an estimator has one (default: ips and snips, with columns q and v also dm and dr). */
  readonly estimators?: readonly string[] | undefined
  /** The ways in which rows may depend on each other (default: users, and days where there are times). */
  readonly cluster?: string | undefined
  /** What checks ask of the rows (default: what every check of the verdict does). */
  readonly checks?: Batch
  /** What stands at the head, given the fingerprint of the statement. */
  readonly about?: (fingerprint: string) => string
}

/** One statement whose result has all that an evaluation of a target needs, and its fingerprint. */
export function sumsStatement(asked: StatementAsked): { readonly sql: string; readonly fingerprint: string } {
  const { numbers } = asked.relation
  const { propensity } = asked
  if (propensity && PROPENSITIES.named(propensity.kind).estimated)
    throw new HindcastError('bad-option', `Propensities by ${propensity.kind} need the log in memory.`, {
      remedy: 'Add the propensities to the table as a column.',
    })
  const hasModel = numbers.q !== undefined && numbers.v !== undefined
  const estimators = asked.estimators ?? (hasModel ? ['dm', 'ips', 'snips', 'dr'] : ['ips', 'snips'])
  const terms = termsOfEstimators(estimators, hasModel)
  const ways = statementWays(asked)
  const holds: About['holds'] = {
    hasTimes: numbers.time !== undefined,
    hasPositions: numbers.position !== undefined,
    hasPages: asked.relation.ids.slate !== undefined,
    isThinned: numbers.weight !== undefined,
  }
  const hasPropensities = propensitySourceOf(asked) !== 'none'
  const usesPropensities = asked.target.kind !== 'logging' && hasPropensities
  const { checks = batchOf({ ...holds, hasPropensities, usesPropensities }) } = asked
  const batch = statementBatch({ terms, ways, holds, hasPropensities }, checks)
  const settings = {
    table: asked.table,
    dialect: asked.dialect.name,
    target: targetText(asked.target),
    propensity: propensitySourceOf(asked),
    holds: Object.entries(holds)
      .flatMap(([name, has]) => (has ? [name] : []))
      .join('+'),
    model: hasModel ? 'columns' : 'none',
    estimators: estimators.join(','),
    cluster: asked.cluster ?? 'auto',
    ...(asked.policy && { 'missing-user': asked.policy.missing }),
    ways: ways.join('+'),
    batch: fingerprintOf(textOfQuery(batch)),
  }
  const script = (about: string, fingerprint: string): string =>
    sumsScript({
      dialect: asked.dialect,
      relation: asked.relation,
      target: asked.target,
      propensity,
      clickFrom: asked.clickFrom,
      largest: LARGEST,
      smallest: SMALLEST,
      settings: { ...settings, fingerprint },
      about,
      ...(asked.where !== undefined && { where: asked.where }),
      ...(asked.policy && { policy: asked.policy }),
      ...(asked.isQuery !== undefined && { isQuery: asked.isQuery }),
      answers: (view) => answerParts(batch, rowsOf(view, asked, ways)),
    })
  const fingerprint = fingerprintOf(script('', ''))
  return { sql: script(asked.about?.(fingerprint) ?? 'Sums for Hindcast.', fingerprint), fingerprint }
}

/** The steps of a statement that answer a batch, and the rows of its result. */
function answerParts(batch: Batch, rows: SqlRows): ReturnType<ScriptAsked['answers']> {
  const { steps, parts } = batchSteps(batch, rows)
  return { steps, outputs: parts.map((part): Output => ({ part: 'answer', ...part })) }
}

const COLUMN: Readonly<Record<StatementWay, string>> = {
  user: 'cluster',
  day: 'shown_on',
  column: 'other_cluster',
}

/** The rows of a statement as batches see them; those that break a rule are left out, as nothing is estimated then. */
function rowsOf(view: SqlView, { relation, policy }: StatementAsked, ways: readonly StatementWay[]): SqlRows {
  const { dialect } = view
  const { time, position, weight, q, v } = relation.numbers
  const bucket = (id: string): string => dialect.double(idBucketSql(dialect, id, false))
  const ids = ways.map((way) => COLUMN[way])
  return {
    dialect,
    from: '(SELECT * FROM weighed WHERE NOT broken) AS sound_rows',
    columns: {
      r: 'r',
      w: 'w',
      ...(knownPropensity(view) !== undefined && { b: 'b' }),
      ...(weight && { n: 'number_of' }),
      ...(time && { t: 'shown_at' }),
      ...(position && { k: 'place_shown' }),
      u: bucket(ids[0]!),
      i: bucket('shown_item'),
      ...(q && v && { q: 'q', v: 'v' }),
      ...(time && { d: dialect.double('shown_on') }),
      ...(ways.length > 1 && ways[1] !== 'day' && { o: bucket(ids[1]!) }),
      ...(ways.length > 1 && !ways.includes('day') && { c: dialect.double(dialect.bucket(jointId(dialect, ids, JOINT))) }), // prettier-ignore
    },
    user: 'cluster',
    item: 'shown_item',
    // Beside those of a policy, ids are texts.
    hasWholeItems: relation.ids.item!.integer !== undefined && !policy,
    areClustersUsers: ways[0] === 'user',
  }
}

/** The sums that the result of a `sumsStatement` records, and what they were asked for; `checks` as it was given to the statement. */
export function recordedSums(
  name: string,
  rows: readonly RecordedRow[],
  checks?: Batch,
): {
  readonly source: SumSource
  readonly estimators: readonly string[]
  readonly cluster: string
  readonly settings: ReadonlyMap<string, string>
} {
  const parts = recordedParts(name, rows)
  const setting = (key: string): string => {
    const value = parts.settings.get(key)
    if (value !== undefined) return value
    throw new HindcastError('bad-file', `${name} does not say its ${key}.`, {
      remedy: 'Run the statement again.',
    })
  }
  const estimators = setting('estimators').split(',')
  const hasModel = setting('model') === 'columns'
  const [target, propensitySource] = [setting('target'), setting('propensity') as PropensitySource]
  const targetKind = targetKindOf(target)
  const holds = holdsOf(setting('holds').split('+'))
  const ways = setting('ways').split('+') as StatementWay[]
  const hasPropensities = propensitySource !== 'none'
  const usesPropensities = targetKind !== 'logging' && hasPropensities
  const batch = statementBatch(
    { terms: termsOfEstimators(estimators, hasModel), ways, holds, hasPropensities },
    checks ?? batchOf({ ...holds, hasPropensities, usesPropensities }),
  )
  if (fingerprintOf(textOfQuery(batch)) !== setting('batch'))
    throw new HindcastError('bad-file', `${name} was made by another version of Hindcast.`, {
      remedy: 'Write the statement again with this version, and run it again.',
    })
  const source = recordedSource(parts, {
    target,
    targetKind,
    holds,
    mayLackUsers: parts.settings.get('missing-user') !== 'error',
    propensitySource,
    hasModel,
    ways,
    engine: setting('dialect'),
    batch,
  })
  return { source, estimators, cluster: setting('cluster'), settings: parts.settings }
}

const holdsOf = (names: readonly string[]): About['holds'] => ({
  hasTimes: names.includes('hasTimes'),
  hasPositions: names.includes('hasPositions'),
  hasPages: names.includes('hasPages'),
  isThinned: names.includes('isThinned'),
})

/** The terms that an evaluation by these estimators asks for, always in the same order. */
function termsOfEstimators(estimators: readonly string[], hasModel: boolean): readonly Term[] {
  const chosen = estimators.map((request) => {
    const { named, lambda } = parseRequest(request)
    if (!isTuned(named)) return { estimator: named }
    if (lambda === undefined)
      throw new HindcastError('bad-option', `The estimator ${named.name} needs a λ here.`, {
        remedy: `λ is chosen by looking at the rows more than once, which one statement cannot. Write, for example, ${named.name}:10.`,
      })
    return { estimator: named.with(lambda), tuned: named }
  })
  for (const { estimator } of chosen) {
    if (estimator.rows === 'plain' || (estimator.rows === 'model' && hasModel)) continue
    throw new HindcastError(
      'bad-option',
      `The estimator ${estimator.name} cannot be computed by one statement.`,
      {
        remedy:
          estimator.rows === 'model'
            ? advice`It needs predictions of the reward: name their columns with ${set('columns', 'q=…,v=…')}.`
            : 'It needs the log in memory.',
      },
    )
  }
  return askedTerms(chosen, hasModel ? 'model' : 'plain', DIAGNOSTIC_TERMS).terms
}

/** The ways to group by, which must have their columns. */
function statementWays({ cluster = 'auto', relation }: StatementAsked): StatementWay[] {
  const hasTime = relation.numbers.time !== undefined
  if (cluster === 'auto') return hasTime ? ['user', 'day'] : ['user']
  const ways = waysOf(cluster, { days: null })
  if (ways.includes('day') && !hasTime) throw noDays()
  if (ways.includes('column') && !relation.ids.cluster) throw noClusterColumn()
  const other = ways.find((way) => !['user', 'day', 'column'].includes(way))
  if (other !== undefined)
    throw new HindcastError('bad-option', `One statement cannot cluster by ${other}.`, {
      remedy: 'Choose user, day, user+day or column:NAME.',
    })
  return ways as StatementWay[]
}

const targetText = (target: SqlTarget): string =>
  target.kind === 'column'
    ? `column:${target.name}`
    : target.kind === 'table'
      ? `warehouse:${target.name}`
      : target.kind

/** What kind of target a text of `targetText` is. */
function targetKindOf(text: string): Exclude<SqlTarget['kind'], 'popularity'> {
  const [kind] = text.split(':', 1)
  return kind === 'warehouse' ? 'table' : (kind as 'uniform' | 'logging' | 'column')
}
