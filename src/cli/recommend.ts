import { HindcastError } from '../error.js'
import { neighboursOf } from '../graph/graph.js'
import type { Recommendations, Recommended } from '../model/recommendations.js'
import type { SavedModel } from '../node/model-folder.js'
import { counted, formatCount } from '../number-text.js'
import { suggest } from '../suggest.js'
import type { Arguments, Command, Context } from './command.js'
import { writeJson } from './json.js'
import { onlyPositional, text, wholeNumber } from './parse.js'
import type { Terminal } from './terminal.js'

/** Users between two looks at the signal. */
const USERS_A_PIECE = 64

export const recommend: Command = {
  name: 'recommend',
  usage: 'recommend DIR --user ID | --clicks ITEMS | --all FILE [options]',
  about:
    'Says what a trained model recommends: to a user of its log, to somebody new from the items they clicked, or to all users at once. Items that were clicked already are left out.',
  options: {
    user: { type: 'string', value: 'ID', help: 'a user of the log the model was trained on' },
    clicks: {
      type: 'string',
      value: 'ITEMS',
      help: 'somebody new, by the ids of items they clicked: 50,181,7',
    },
    all: {
      type: 'string',
      value: 'FILE',
      help: 'for all users, as a CSV with user_id, item_id, rank and score',
    },
    top: { type: 'string', value: 'N', help: 'how many items (10)' },
    'include-clicked': { type: 'boolean', help: 'items clicked already too' },
    json: { type: 'string', value: 'FILE|-', help: 'as JSON, to a file or to standard output' },
  },
  examples: [
    ['hindcast recommend runs/a --user 42', 'ten items for user 42'],
    ['hindcast recommend runs/a --clicks 50,181,7 --top 5', 'for somebody the model has never seen'],
    ['hindcast recommend runs/a --all top.csv --top 20', 'for everybody'],
  ],
  notes: [
    'DIR is a folder that hindcast train --out wrote. Scores have no unit and compare items for one user. Somebody new is folded in without training: with LightGCN by what the clicked items pass on to them, with matrix factorisation by where training put users with such clicks.',
  ],
  async run(args, context) {
    const folder = onlyPositional(args, 'recommend', 'a folder')
    const chosen = ['user', 'clicks', 'all'].filter((name) => args.values[name] !== undefined)
    if (chosen.length !== 1)
      throw new HindcastError(
        'bad-option',
        chosen.length === 0
          ? 'hindcast recommend needs to know for whom.'
          : `hindcast recommend takes one of ${chosen.map((name) => `--${name}`).join(' and ')}.`,
        {
          remedy: 'Say --user ID, --clicks ITEM,ITEM,… for somebody new, or --all FILE for everybody.',
        },
      )
    const top = wholeNumber(args, 'top') ?? 10
    if (top === 0)
      throw new HindcastError('bad-option', '--top 0 recommends nothing.', { remedy: 'Give at least 1.' })
    const { readModelFolder } = await import('../node/model-folder.js')
    const saved = await readModelFolder(folder)
    const all = text(args, 'all')
    if (all !== undefined) await recommendToAll(all, saved, top, args, context)
    else await recommendToOne(saved, top, args, context)
    return 0
  },
}

async function recommendToOne(
  { model, card }: SavedModel,
  top: number,
  args: Arguments,
  context: Context,
): Promise<void> {
  const { recommend: best, RECOMMENDATIONS_SCHEMA } = await import('../model/recommendations.js')
  const user = text(args, 'user')
  const place = user === undefined ? undefined : placeOf(user, card.userIds, unknownUser)
  const clicks =
    place === undefined
      ? typedClicks(text(args, 'clicks')!, card.itemIds)
      : neighboursOf(model.graph.byUser, place)
  const includesClicked = args.values['include-clicked'] === true
  const recommended = best(
    place === undefined ? model.foldIn(clicks) : model.scores(place),
    top,
    card.itemIds,
    includesClicked ? undefined : clicks,
  )
  const recommendations: Recommendations = {
    schema: RECOMMENDATIONS_SCHEMA,
    model: card.kind,
    user: user ?? null,
    clicks: Array.from(clicks, (item) => card.itemIds[item]!),
    includesClicked,
    recommended,
  }
  const json = text(args, 'json')
  if (json !== undefined) await writeJson(json, recommendations, context)
  if (json !== '-') context.terminal.print(recommendationsText(recommendations, context.terminal))
}

/** A CSV of everybody's recommendations, a piece of users at a time. */
async function recommendToAll(
  path: string,
  { model, card }: SavedModel,
  top: number,
  args: Arguments,
  context: Context,
): Promise<void> {
  if (args.values['json'] !== undefined)
    throw new HindcastError('bad-option', '--all writes a CSV, and --json is for one user.', {
      remedy: 'Leave out one of them.',
    })
  const { recommend: best } = await import('../model/recommendations.js')
  const { quoteCsv } = await import('../log/write/text.js')
  const { progressLine } = await import('./progress-line.js')
  const { writeAtomically } = await import('../node/write-atomically.js')
  const progress = progressLine(context.terminal)
  const includesClicked = args.values['include-clicked'] === true
  async function* lines(): AsyncGenerator<string> {
    yield 'user_id,item_id,rank,score\n'
    for (let start = 0; start < model.users; start += USERS_A_PIECE) {
      let piece = ''
      const end = Math.min(model.users, start + USERS_A_PIECE)
      for (let user = start; user < end; user++) {
        const clicked = includesClicked ? undefined : neighboursOf(model.graph.byUser, user)
        for (const { item, rank, score } of best(model.scores(user), top, card.itemIds, clicked))
          piece += `${quoteCsv(card.userIds[user]!)},${quoteCsv(item)},${rank},${score}\n`
      }
      yield piece
      progress({ what: 'recommending', done: end, total: model.users, unit: 'users' })
    }
  }
  await writeAtomically(path, lines(), context.signal)
  context.terminal.status('')
  context.terminal.note(`Wrote ${path}: up to ${formatCount(top)} items for ${counted(model.users, 'user')}.`)
}

/** Where the items that were typed stand, ascending, each once. */
function typedClicks(typed: string, itemIds: readonly string[]): Uint32Array {
  const ids = typed
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean)
  if (ids.length === 0)
    throw new HindcastError('bad-option', '--clicks names no item.', {
      remedy: 'For example: --clicks 50,181,7',
    })
  return Uint32Array.from(new Set(ids.map((id) => placeOf(id, itemIds, unknownItem)))).sort()
}

function placeOf(
  id: string,
  ids: readonly string[],
  unknown: (id: string, meant: string | undefined) => HindcastError,
): number {
  const place = ids.indexOf(id)
  if (place < 0) throw unknown(id, suggest(id, ids))
  return place
}

const didYouMean = (meant: string | undefined): string =>
  meant === undefined ? '' : `Did you mean ${JSON.stringify(meant)}? `

const unknownUser = (id: string, meant: string | undefined): HindcastError =>
  new HindcastError('unknown-name', `The model does not know the user ${JSON.stringify(id)}.`, {
    remedy: `${didYouMean(meant)}For somebody new, name items they clicked: --clicks ITEM,ITEM,…`,
  })

const unknownItem = (id: string, meant: string | undefined): HindcastError =>
  new HindcastError('unknown-name', `The model does not know the item ${JSON.stringify(id)}.`, {
    remedy: `${didYouMean(meant)}Name items of the log the model was trained on; model.json lists them.`,
  })

/** Recommendations for a terminal: for whom, by what, and the items with their scores. */
function recommendationsText(
  { model, user, clicks, includesClicked, recommended }: Recommendations,
  terminal: Terminal,
): string {
  const whose = user === null ? 'somebody new' : `user ${user}`
  const without = includesClicked ? '' : clicks.length === 1 ? ', which is left out' : ', which are left out'
  const by = clicks.length === 0 ? 'no clicks in training' : `${counted(clicks.length, 'click')}${without}`
  const heading = `${terminal.style('bold', `For ${whose}`)}, by ${model} from ${by}`
  if (recommended.length === 0) return `${heading}\n\n  No item is left to recommend.`
  const decimals = scoreDecimals(recommended)
  const rows = recommended.map(({ rank, item, score }) => [String(rank), item, score.toFixed(decimals)])
  const widths = ['rank', 'item', 'score'].map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]!.length)),
  )
  const line = ([rank, item, score]: readonly string[]): string =>
    `  ${rank!.padStart(widths[0]!)}  ${item!.padEnd(widths[1]!)}  ${score!.padStart(widths[2]!)}`
  return [heading, '', terminal.style('dim', line(['rank', 'item', 'score'])), ...rows.map(line)].join('\n')
}

/** So many decimals that the largest score has three digits, or six where scores are tiny. */
function scoreDecimals(recommended: readonly Recommended[]): number {
  const largest = Math.max(...recommended.map(({ score }) => Math.abs(score)))
  return largest === 0 ? 0 : Math.min(6, Math.max(0, 3 - Math.ceil(Math.log10(largest))))
}
