import { describeLog, type Description, type Tally, tallyItems, tallyUsers } from '$core/describe/describe.js'
import { summarise } from '$core/words/log-text.js'
import type { ColumnOrigins } from '$core/log/bad-rows.js'
import type { Log } from '$core/log/log.js'
import { uniformPolicy } from '$core/policy/probabilities.js'
import { namesInLog } from '$core/read/policy/policy-columns.js'
import type { EstimatedPropensity } from '$core/propensity/stand-in.js'
import { movielensWorld } from '$core/world/movielens.js'
import { SIMULATED_RATINGS_NOTE, simulatedRatings } from '$core/world/simulated-ratings.js'
import { toyWorld } from '$core/world/toy.js'
import type { World } from '$core/world/world.js'
import { logCommand } from '../take-away/log-command.js'
import type { Watch } from './call.js'
import type { LogSource } from './log-source.js'
import { readChosen } from './mended-log.js'
import { hold } from './held.js'
import { type KeptLabels, withKeptLabels } from './kept-labels.js'
import { shopWorld } from './shop-world.js'

/** What the page knows of the log that is open: enough to describe and to draw it. */
export interface OpenedLog {
  /** The name of the world or of the file. */
  readonly name: string
  readonly source: LogSource
  readonly summary: string
  readonly description: Description
  readonly items: Tally
  readonly users: Tally
  readonly catalogueKnown: boolean
  readonly estimatedPropensity?: EstimatedPropensity
  /** Rows that were left out because they break a rule. */
  readonly skipped: number
  /** The columns of the file behind those of the log. */
  readonly origins?: ColumnOrigins
  /** Whether the log has a column with the probabilities of a target policy. */
  readonly hasTarget: boolean
  /** True value of the logging and of the uniform policy, in worlds. */
  readonly truth?: { readonly logging: number; readonly uniform: number }
  readonly note?: string
  /** Further columns of the file that rows can be divided by. */
  readonly labels?: KeptLabels
}

/** Opens a world or a file, and keeps its log. */
export async function openLog(source: LogSource, watch: Watch): Promise<OpenedLog> {
  if (source.kind === 'file') return openFile(source, watch)
  const world = worldOf(source)
  const log = world.draw()
  hold({ log, world, file: logCommand(source).log.file })
  const uniform = uniformPolicy(log.itemIds.length)
  return {
    ...aboutLog(log),
    name: WORLD_NAMES[source.kind],
    source,
    skipped: 0,
    truth: { logging: world.value(world.logging), uniform: world.value(uniform) },
    ...(source.kind === 'movielens' && { note: `A world made from ${SIMULATED_RATINGS_NOTE}.` }),
  }
}

type WorldSource = Exclude<LogSource, { kind: 'file' }>

const WORLD_NAMES: Readonly<Record<WorldSource['kind'], string>> = {
  shop: 'Shop world',
  toy: 'Toy world',
  movielens: 'MovieLens-like world',
}

/** The world behind a door. */
function worldOf(source: WorldSource): World {
  switch (source.kind) {
    case 'shop':
      return shopWorld(source.seed)
    case 'toy':
      return toyWorld({ seed: source.seed })
    case 'movielens':
      return movielensWorld(simulatedRatings(), { seed: source.seed, temperature: source.temperature })
  }
}

async function openFile(source: Extract<LogSource, { kind: 'file' }>, watch: Watch): Promise<OpenedLog> {
  const { file } = source
  const { read, labels } = await readChosen(source, watch)
  const { log, origins, kept } = withKeptLabels(read, labels)
  hold({ log, file: file.name, names: namesInLog(logCommand(source).log) })
  return {
    ...aboutLog(log, read.estimatedPropensity),
    labels: kept,
    name: file.name,
    source,
    skipped: read.skipped,
    origins,
    ...(read.estimatedPropensity && { estimatedPropensity: read.estimatedPropensity }),
  }
}

function aboutLog(
  log: Log,
  estimatedPropensity?: EstimatedPropensity,
): Pick<OpenedLog, 'summary' | 'description' | 'items' | 'users' | 'catalogueKnown' | 'hasTarget'> {
  const description = describeLog(log, { ...(estimatedPropensity && { estimatedPropensity }) })
  return {
    description,
    summary: summarise(description),
    items: tallyItems(log),
    users: tallyUsers(log),
    catalogueKnown: log.catalogueKnown,
    hasTarget: log.target !== undefined,
  }
}
