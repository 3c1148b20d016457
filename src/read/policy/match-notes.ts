import { type Advice, advice, set } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { counted, formatCount } from '../../number-text.js'
import type { PolicyFile } from './policy-file.js'
import type { MissingUser, PolicyMatch } from './policy-match.js'

/** What messages need to know of a policy. */
type NamedPolicy = Pick<PolicyFile, 'name' | 'kind' | 'userIds' | 'itemIds' | 'notes'>

/** The notes about a policy that fits a log; an error where it does not. */
export function notesOnMatch(file: NamedPolicy, match: PolicyMatch, missingUser: MissingUser): string[] {
  const { name } = file
  if (match.wrong.first) throw wrongSum(file, match.wrong.users, match.wrong.first)
  if (match.missing > 0 && missingUser === 'error') throw missingUsers(file, match)
  const { rounded, itemsWithout } = match
  const never = (count: number): string => counted(count, 'item of the log has', 'items of the log have')
  return [
    ...(file.notes ?? []),
    ...(rounded.users > 0
      ? [
          `${name}: the probabilities ${file.userIds ? `of ${counted(rounded.users, 'user')} ` : ''}do not sum to exactly 1 (largest gap ${rounded.largest.toPrecision(2)}), and are divided by their sum.`,
        ]
      : []),
    ...(match.missing > 0
      ? [
          `${name} does not have ${formatCount(match.missing)} of the log’s ${counted(match.logUsers, 'user')} (${named(match.firstMissing, match.missing)}): they are shown ${missingUser === 'logging' ? 'what the logging policy shows' : 'every item of the log equally often'}.`,
        ]
      : []),
    ...(match.usersBeyond > 0
      ? [
          `${name} also has ${counted(match.usersBeyond, 'user')} that the log does not have, which ${match.usersBeyond === 1 ? 'is' : 'are'} ignored.`,
        ]
      : []),
    ...(match.itemsBeyond > 0
      ? [
          match.itemsBeyond === file.itemIds.length
            ? `${name} has no item of the log: its own are called ${named(file.itemIds.slice(0, 3), file.itemIds.length)}. Write item ids as the log does.`
            : `${name} also has ${counted(match.itemsBeyond, 'item')} that the log does not have. What the policy would earn with ${match.itemsBeyond === 1 ? 'it is unknown: its' : 'them is unknown: their'} probability counts as unsupported.`,
        ]
      : []),
    ...(file.kind === 'score' && itemsWithout.some > 0
      ? [
          itemsWithout.every === itemsWithout.some
            ? `${never(itemsWithout.every)} no score, and probability 0.`
            : `${never(itemsWithout.some)} no score for some users${itemsWithout.every > 0 ? ` (${formatCount(itemsWithout.every)} of them for none)` : ''}, and probability 0 there.`,
        ]
      : []),
  ]
}

const named = (ids: readonly string[], count: number): string =>
  `${ids.map((id) => JSON.stringify(id)).join(', ')}${count > ids.length ? ', …' : ''}`

function wrongSum(
  file: NamedPolicy,
  users: number,
  { whose, sum, most }: NonNullable<PolicyMatch['wrong']['first']>,
): HindcastError {
  const more =
    users > 1
      ? ` Those of ${counted(users - 1, 'other user')} ${users === 2 ? 'does' : 'do'} not sum to 1 either.`
      : ''
  return new HindcastError(
    'bad-rows',
    `${whose}: the probabilities sum to ${Number(sum.toPrecision(12))}, not 1: a gap of ${Math.abs(sum - 1).toPrecision(2)}.${more}`,
    {
      remedy: `List every item that the policy may show, and divide the probabilities by their sum. Gaps up to ${Number(most.toPrecision(2))} are taken for rounding here.${file.userIds ? '' : ' If they differ between users, the file needs a column of users.'}`,
    },
  )
}

/** A policy by age or by country has few users, none of which the log knows; it is one for users where the log is read so. */
const GROUPS = advice`If these are groups of users, such as segments, read their column of the log as the user, and name the column of people for the intervals: ${set('columns', 'user=NAME')} and ${set('cluster', 'column:NAME')}.`
const groupsHint = (userIds: readonly string[], { logUsers }: PolicyMatch): Advice =>
  userIds.length * 5 < logUsers ? advice` ${GROUPS}` : []

function missingUsers({ name, userIds }: NamedPolicy, match: PolicyMatch): HindcastError {
  const isNone = match.missing === match.logUsers && userIds
  const habit = isNone && idDifference(userIds, match.firstMissing)
  const own = isNone ? ` Its own users are called ${named(userIds.slice(0, 3), userIds.length)}.` : ''
  return new HindcastError(
    'bad-option',
    `${name} does not have ${formatCount(match.missing)} of the log’s ${counted(match.logUsers, 'user')}: ${named(match.firstMissing, match.missing)}.${own}`,
    {
      remedy: isNone
        ? advice`Write user ids as the log does.${habit === undefined ? groupsHint(userIds, match) : ` ${habit}`}`
        : advice`Add them to the file, or choose what they are shown: ${set('missingUser', 'logging')} (what the logging policy shows) or ${set('missingUser', 'uniform')} (every item equally often).`,
    },
  )
}

/** A way in which programs write ids otherwise, and what makes them alike. */
interface Habit {
  readonly says: string
  readonly undo: (id: string) => string
}

const HABITS: readonly Habit[] = [
  {
    says: 'They end in .0, as whole numbers do that pandas keeps as floats: write them with .astype("Int64").',
    undo: (id) => id.replace(/\.0+$/, ''),
  },
  { says: 'They begin with zeros: take those off.', undo: (id) => id.replace(/^0+(?=\d)/, '') },
  {
    says: 'They differ in capital and small letters only: use one of them in both.',
    undo: (id) => id.toLowerCase(),
  },
  {
    says: 'They have spaces, quotes or braces around them: take those off.',
    undo: (id) => id.replaceAll(/^[\s"'{]+|[\s"'}]+$/g, ''),
  },
]

/** How the ids of a file differ from those of a log, if one habit explains it: the file's, or the log's. */
export function idDifference(ofFile: readonly string[], ofLog: readonly string[]): string | undefined {
  for (const { says, undo } of HABITS) {
    const [file, log] = [new Set(ofFile.map(undo)), new Set(ofLog.map(undo))]
    if (ofLog.every((id) => file.has(undo(id)))) {
      const isFile = ofFile.some((id) => undo(id) !== id)
      return isFile ? says : says.replace('They', 'Those of the log')
    }
    if (log.size === 0) return undefined
  }
  return undefined
}
