import { CANONICAL_NAMES, type Column, COLUMNS } from '../log/columns.js'
import { type Cell, cellNumber, cellOutcome, cellText, cellTime } from '../log/cell.js'
import { RULES } from '../log/rules.js'

/**
 * Other common names for the columns of a log, likeliest first: lower case, letters and digits only. One with a question
 * mark may just as well mean something else: it is offered, but a person has to say so.
 */
const SYNONYMS: Readonly<Record<Column, string>> = {
  user:
    'userid user uid userkey useridx userindex userno? usernum? customerid customer custid customerkey clientid ' +
    'visitorid visitor memberid member accountid account profileid? personid playerid viewerid readerid listenerid ' +
    'subscriberid shopperid buyerid guestid? reviewerid fullvisitorid userpseudoid anonymousid anonid stableid cookieid ' +
    'cookie? deviceid subjectkey subject? subjectid unitid? hashvalue? u? contextid? sessionid? session?',
  item:
    'itemid item iid itemkey itemidx itemindex itemno? movieid movie filmid videoid video productid product sku skuid asin ' +
    'articleid article newsid contentid songid song trackid track artistid bookid isbn postid docid documentid ' +
    'adid creativeid offerid couponid listingid propid? restaurantid businessid poiid recipeid appid ' +
    'gameid jobid? displayeditem displayedarticle shownitem chosenaction? chosenitem actionid? action? armid? arm? variantid? variationid? ' +
    'variation? variant? i? a?',
  reward:
    'reward rewards? click clicked isclick isclicked clicks? label? outcome? response? feedback? converted conversion conversions? ' +
    'isconversion purchase purchased ispurchase bought buy? booked? bookingbool clickbool liked? like? islike ' +
    'watched? isview? longview? metricvalue? outcomevalue? revenue? rating? ratings? stars? r? y? target?',
  propensity:
    'propensity propensityscore propensities pscore actionprob actionprobability actionpropensity ' +
    'loggingprob loggingprobability loggingpropensity loggedprob loggedprobability loggedpropensity ' +
    'labelprobability? behaviorprob behaviourprob behaviorprobability behaviourprobability behaviorpolicyprob ' +
    'exposureprob exposureprobability assignmentprob assignmentprobability samplingprob samplingprobability ' +
    'selectionprob selectionprobability selectedprob? chosenprob? choiceprob? decisionprob? showprob shownprob showprobability ' +
    'displayprob? displayprobability? armprob? variationweight? banditweight? probability? prob? proba? p? ps? pi0? pb? b?',
  target:
    'targetprob targetprobability targetpropensity evaluationprob evaluationprobability evalprob newprob ' +
    'newprobability newpolicyprob targetpolicyprob pitarget pinew pie target',
  slate:
    'slateid slate pageviewid impressionid impid impressionkey requestid reqid listid searchid srchid queryid qid ' +
    'recommendationid recid rankingid decisionid',
  position:
    'position pos rank slot slotid place displayposition displayrank itemposition itemrank positionid',
  time:
    'timestamp time ts datetime eventtime eventtimestamp eventtimemillis eventts eventdate timems timestampms timestampmillis ' +
    'timestampus timestampns unixtime unixtimestamp unixtimems epoch epochms createdat loggedat servedat shownat ' +
    'occurredat receivedat requesttime exposuretime exposedat assignmenttime impressiontime impressiontimestamp ' +
    'ratingtimestamp interactiontime date',
  cluster: 'cluster clusterid',
  weight: 'weight sampleweight rowweight',
  q: 'q qhat predictedreward expectedreward predictedclick',
  v: 'v vhat predictedvalue expectedvalue',
}

/** Ambiguous names: only the contents of the column decide what they mean. */
const ONLY_IF: Readonly<Partial<Record<Column, Readonly<Record<string, ColumnContent>>>>> = {
  reward: { target: 'zeros-and-ones' },
  propensity: { b: 'probabilities' },
  target: { target: 'probabilities' },
}

/** A name without what varies from file to file: capitals, underscores, hyphens, periods and spaces. */
export const bareName = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/**
 * How well a column name in a file fits a column of the log: 0 is best; undefined if it does not fit.
 * Capitals and underscores make no difference: `User_ID` is `userid`.
 */
export function synonymRank(column: Column, name: string, content: ColumnContent): number | undefined {
  const bare = bareName(name)
  const needed = ONLY_IF[column]?.[bare]
  if (needed !== undefined && needed !== content) return undefined
  const rank = namesOf(column).indexOf(bare)
  return rank < 0 ? undefined : rank
}

/** True for a name known for some column of the log, except single letters, which could just as well be ids. */
export const isKnownName = (name: string): boolean =>
  name.length > 1 && COLUMNS.some((column) => namesOf(column).includes(bareName(name)))

const namesOf = (column: Column): string[] => [
  bareName(CANONICAL_NAMES[column]),
  ...SYNONYMS[column].replaceAll('?', '').split(' '),
]

/** The column of a file whose name means a column of the log and nothing else; undefined if none or several do. */
export function commonlyNamed(column: Column, names: readonly string[]): string | undefined {
  const sure = SYNONYMS[column].split(' ')
  const named = names.filter((name) => sure.includes(bareName(name)))
  // Where a path leads into a column, the column holds objects.
  const found = named.filter((name) => !names.some((other) => other.startsWith(`${name}.`)))
  return found.length === 1 ? found[0] : undefined
}

/** The column of a file whose name fits a column of the log best, whatever else it may mean. */
export function bestNamed(column: Column, names: readonly string[]): string | undefined {
  const known = namesOf(column)
  const ranked = names.map((name) => ({ name, rank: known.indexOf(bareName(name)) }))
  return ranked.filter(({ rank }) => rank >= 0).toSorted((a, b) => a.rank - b.rank)[0]?.name
}

/** What a column seems to hold, judging by its first cells. */
export type ColumnContent =
  | 'unseen' // reading it would take too long
  | 'nothing'
  | 'zeros-and-ones' // or true and false
  | 'yes-and-no' // in words or letters
  | 'probabilities' // numbers above 0 and up to 1, not all of them 1
  | 'times' // dates, or seconds to nanoseconds since 1970
  | 'row-numbers' // each one more than the row above
  | 'whole-numbers'
  | 'numbers'
  | 'text'

/** Seconds, milli-, micro- and nanoseconds since 1970, from 1990 to 2070. */
const EPOCHS = [1, 1e3, 1e6, 1e9].map((unit) => [631_152_000 * unit, 3_155_760_000 * unit] as const)
/** Fewer rows may count up by chance. */
const FEWEST_COUNTED = 10

/** Recognises what a column holds from some of its cells; missing ones are skipped. */
export function contentOf(cells: readonly Cell[]): ColumnContent {
  const filled = cells.filter((cell) => cellText(cell) !== undefined)
  if (filled.length === 0) return 'nothing'
  const numbers = filled.map(cellNumber)
  const { least, most } = RULES.propensity
  if (numbers.every((value) => value === 0 || value === 1)) return 'zeros-and-ones'
  if (filled.every((cell) => !Number.isNaN(cellOutcome(cell))) && numbers.every(Number.isNaN))
    return 'yes-and-no'
  if (numbers.every((value) => value >= least && value <= most)) return 'probabilities'
  if (filled.every((cell, k) => isTime(cell, numbers[k]!))) return 'times'
  if (!numbers.every(Number.isFinite)) return 'text'
  if (!numbers.every(Number.isInteger)) return 'numbers'
  const counts = numbers.every((value, k) => k === 0 || value === numbers[k - 1]! + 1)
  return counts && numbers.length >= FEWEST_COUNTED ? 'row-numbers' : 'whole-numbers'
}

const isTime = (cell: Cell, number: number): boolean =>
  Number.isNaN(number)
    ? !Number.isNaN(cellTime(cell))
    : EPOCHS.some(([from, to]) => number >= from && number <= to)
