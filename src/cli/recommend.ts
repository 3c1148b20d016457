import { isLinear } from '../model/trained-models.js'
import { HindcastError } from '../error.js'
import { listed } from '../listed.js'
import { SIDECAR } from '../log/stamp.js'
import type { Recommendations, Recommended, RecommendOptions } from '../model/recommendations.js'
import type { SavedModel } from '../model/model-files.js'
import { counted, formatCount } from '../number-text.js'
import type { Arguments, Command, Context } from './command.js'
import { tell, writesFile } from './outputs.js'
import { cut, wrap } from './format.js'
import { onlyPositional, text, wholeNumber } from './parse.js'
import type { Terminal } from './terminal.js'

export const recommend: Command = {
  name: 'recommend',
  usage: 'recommend DIR --user ID | --clicks ITEMS | --all FILE [options]',
  about:
    'Lists what a trained model recommends: to a user of its log, to a new user from the items they clicked, or to all users at once. Items already clicked are left out.',
  options: {
    user: { value: 'ID', help: 'a user of the log the model was trained on' },
    clicks: { value: 'ITEMS', help: 'a new user, given by the ids of items they clicked: 50,181,7' },
    all: {
      value: 'FILE',
      writes: (all) => [all, `${all}${SIDECAR}`],
      help: 'write a CSV (or .ndjson, .parquet) for all users, with user_id, item_id, rank and score; FILE.hindcast.json beside it says which log the model was trained on',
    },
    top: { value: 'N', help: 'number of items (10), or all' },
    'include-clicked': { help: 'include items already clicked' },
    json: { value: 'FILE|-', writes: writesFile, help: 'write JSON, to a file or to standard output' },
  },
  examples: [
    ['hindcast recommend runs/a --user 42', 'ten items for user 42'],
    ['hindcast recommend runs/a --clicks 50,181,7 --top 5', 'for a user the model has never seen'],
    ['hindcast recommend runs/a --all top.csv --top 20', 'for all users'],
    [
      'hindcast recommend runs/a --all scores.parquet --top all',
      'all scores, to load into a warehouse as the target warehouse:TABLE@best',
    ],
  ],
  notes: [
    'DIR is a folder written by hindcast train --out. Scores have no unit; compare them only within one user. New users are folded in without training: LightGCN propagates the embeddings of the clicked items; matrix factorisation uses a regression fitted to the trained users; iALS solves for the user; EASE, SLIM and item kNN score from the clicked items; popularity is the same for everybody.',
  ],
  async run(args, context) {
    const folder = onlyPositional(args, 'recommend', 'a folder')
    const chosen = ['user', 'clicks', 'all'].filter((name) => args.values[name] !== undefined)
    if (chosen.length !== 1)
      throw new HindcastError(
        'bad-option',
        chosen.length === 0
          ? 'hindcast recommend needs a user.'
          : `hindcast recommend takes only one of ${listed(chosen.map((name) => `--${name}`))}.`,
        {
          remedy: 'Use --user ID, --clicks ITEM,ITEM,… for a new user, or --all FILE for all users.',
        },
      )
    const typedTop = text(args, 'top') === 'all' ? 'all' : (wholeNumber(args, 'top') ?? 10)
    if (typedTop === 0)
      throw new HindcastError('bad-option', '--top 0 recommends nothing.', { remedy: 'Give at least 1.' })
    const { readModelFolder } = await import('../node/model-folder.js')
    const saved = await readModelFolder(folder)
    if (isLinear(saved.card.kind))
      throw new HindcastError(
        'bad-option',
        `${folder} is a policy over features: it knows no users to recommend to.`,
        {
          remedy: `Evaluate it on a log with its features: --target model:${folder} --features ${saved.card.features!.join(',')}.`,
        },
      )
    const all = text(args, 'all')
    const top = typedTop === 'all' ? saved.card.itemIds.length : typedTop
    const options = { top, includesClicked: args.values['include-clicked'] === true }
    if (all !== undefined) await writeForAll(all, saved, options, args, context)
    else await printForOne(saved, options, args, context)
    return 0
  },
}

async function printForOne(
  saved: SavedModel,
  options: RecommendOptions,
  args: Arguments,
  context: Context,
): Promise<void> {
  const { recommendToOne } = await import('../model/recommendations.js')
  const user = text(args, 'user')
  const whom = user === undefined ? { clicks: typedIds(text(args, 'clicks')!) } : { user }
  const recommendations = recommendToOne(saved, whom, options)
  await tell(recommendations, () => recommendationsText(recommendations, context.terminal), args, context)
}

const typedIds = (typed: string): string[] =>
  typed
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean)

async function writeForAll(
  path: string,
  saved: SavedModel,
  options: RecommendOptions,
  args: Arguments,
  { terminal, signal }: Context,
): Promise<void> {
  if (args.values['json'] !== undefined)
    throw new HindcastError('bad-option', '--all writes a CSV for all users, --json is for one user.', {
      remedy: 'Use only one of them.',
    })
  const tables = await import('../model/recommendation-files.js')
  const { recommendationsParquet } = await import('../model/recommendation-files.js')
  const isExact = /\.(ndjson|jsonl|parquet)$/.test(path)
  const table = path.endsWith('.parquet')
    ? recommendationsParquet
    : isExact
      ? tables.recommendationsNdjson
      : tables.recommendationsTable
  const { progressLine } = await import('./progress-line.js')
  const { writeAtomically } = await import('../node/write-atomically.js')
  await writeAtomically(path, table(saved, options, progressLine(terminal)), signal)
  const { writeMade } = await import('../node/write-log.js')
  if (saved.card.made) await writeMade(path, saved.card.made, signal)
  terminal.status('')
  terminal.note(
    `Wrote ${path}: up to ${formatCount(options.top)} items for ${counted(saved.model.users, 'user')}.`,
  )
  const { isFormula } = await import('../log/write/text.js')
  const changed = [...saved.card.userIds, ...saved.card.itemIds].filter(isFormula).length
  if (changed > 0 && !isExact)
    terminal.note(
      wrap(
        `${counted(changed, 'id')} of the model would be a formula in a spreadsheet, and is written with a ' before it. For ids as they are, write to a file that ends in .ndjson or .parquet.`,
      ),
    )
}

/** Longer ids are cut. */
const LONGEST_ID = 60

/** Recommendations for a terminal: the user, the model, and the items with their scores. */
function recommendationsText(
  { model, user, clicks, includesClicked, recommended }: Recommendations,
  terminal: Terminal,
): string {
  const whose = user === null ? 'a new user' : `user ${cut(user, LONGEST_ID)}`
  const without = includesClicked ? '' : clicks.length === 1 ? ', which is left out' : ', which are left out'
  const by = clicks.length === 0 ? 'no training clicks' : `${counted(clicks.length, 'click')}${without}`
  const heading = `${terminal.style('bold', `For ${whose}`)}, by ${model} from ${by}`
  if (recommended.length === 0) return `${heading}\n\n  No item is left to recommend.`
  const decimals = scoreDecimals(recommended)
  const rows = recommended.map(({ rank, item, score }) => [
    String(rank),
    cut(item, LONGEST_ID),
    score.toFixed(decimals),
  ])
  const widths = ['rank', 'item', 'score'].map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]!.length)),
  )
  const line = ([rank, item, score]: readonly string[]): string =>
    `  ${rank!.padStart(widths[0]!)}  ${item!.padEnd(widths[1]!)}  ${score!.padStart(widths[2]!)}`
  return [heading, '', terminal.style('dim', line(['rank', 'item', 'score'])), ...rows.map(line)].join('\n')
}

/** As many decimals as give the largest score three digits; at most six. */
function scoreDecimals(recommended: readonly Recommended[]): number {
  const largest = Math.max(...recommended.map(({ score }) => Math.abs(score)))
  return largest === 0 ? 0 : Math.min(6, Math.max(0, 3 - Math.ceil(Math.log10(largest))))
}
