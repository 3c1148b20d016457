import { escapeHtml, proseHtml } from './escape.js'

/** One-line explanations of the terms of art that reports use. */
const terms: Readonly<Record<string, string>> = {
  'click rate': 'clicks divided by impressions',
  impressions: 'times an item was shown to a user',
  propensity: 'the probability with which the logging policy showed the item, given the user',
  propensities: 'the probabilities with which the logging policy showed its items',
  'Wilson interval':
    'a range for a rate that covers the true rate in 95 of 100 such logs, even with few clicks',
  '95 % interval': 'a range built to cover the true value in 95 of 100 such logs',
  '95 % CI': '95 % confidence interval: a range built to cover the true value in 95 of 100 such logs',
  'effective sample': 'how many equally weighted impressions would be as informative as the weighted ones',
  'logging policy': 'the recommender that chose what was shown while the log was written',
  'target policy': 'the recommender whose value is estimated from the log',
  catalogue: 'all items that could have been shown',
  median: 'half of the values lie below it, half above',
  IPS: 'inverse propensity scoring: each reward is multiplied by its target probability over its propensity',
  SNIPS: 'self-normalised IPS: IPS divided by the mean weight, which usually lowers its variance',
  DM: 'direct method: the value predicted by a model of the rewards',
  DR: 'doubly robust: DM with its model errors corrected by IPS; right if either the model or the propensities are',
  'importance weights':
    'how many times as often the target policy shows the item as the logging policy did, for each row',
  'effective clicks': 'how many equally weighted clicks would be as informative as the weighted ones',
  bootstrap: 'the estimate repeated on logs resampled with replacement, to see how it varies',
  resamples:
    'copies of the log drawn from it with replacement; how much estimates differ shows their random error',
  'reward model': 'a prediction of the reward of each item for each user, fitted to the log',
  variance: 'the mean squared distance from the mean',
  bias: 'how far an estimate lies from the truth on average over many logs',
  RMSE: 'root mean squared error: the typical distance of an estimate from the truth, bias and random error together',
  ESS: 'effective sample size: how many equally weighted impressions would be as informative as the weighted ones',
  NDCG: 'how many of a user’s held-out clicks a ranking finds, and how early; 1 is a perfect order, 0 finds none',
  recall: 'the share of a user’s held-out clicks among the first items of a ranking',
  baseline: 'a simple method to compare with: a more complicated one should do better',
  baselines: 'simple methods to compare with: a more complicated one should do better',
  regulariser: 'what is added to training to stabilise it; here it shrinks heavy weights',
  'exposure bias': 'some items are shown far more often than others, so the log says more about them',
  SLOPE: 'a rule that picks λ by comparing intervals (Su, Srinath and Krishnamurthy, 2020)',
  'p-values':
    'how often chance alone would give a difference at least this large; corrected for the number of tests',
}

/** Writes text as HTML and explains each term of art where a page first uses it. */
export interface TermMarker {
  /** The text as HTML: escaped, `**words**` set in bold, terms explained on hover at their first use. */
  write(text: string): string
  /** The terms explained so far, in the order of their first use. */
  used(): [term: string, hint: string][]
}

/** A marker for one page; it remembers which terms the page has used. */
export function termMarker(known: Readonly<Record<string, string>> = terms): TermMarker {
  const seen = new Set<string>()
  const { written, pattern } = searchOf(known)
  return {
    write: (text) =>
      proseHtml(text)
        .replace(pattern, (name) => {
          const term = written.get(name)!
          if (seen.has(term)) return name
          seen.add(term)
          return `<abbr title="${escapeHtml(known[term]!)}">${name}</abbr>`
        })
        .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>'),
    used: () => [...seen].map((term) => [term, known[term]!]),
  }
}

/** How terms are found in text: the term behind each way in which one stands there, and a pattern of all of these. */
interface Search {
  readonly written: ReadonlyMap<string, string>
  readonly pattern: RegExp
}

/** A page has a marker for each of its figures, and draws them often. */
const searches = new WeakMap<object, Search>()

function searchOf(known: Readonly<Record<string, string>>): Search {
  const ready = searches.get(known)
  if (ready) return ready
  // The text is searched after it was escaped, so each term is looked up by how it stands there.
  const written = new Map(Object.keys(known).map((term) => [proseHtml(term), term]))
  const longestFirst = [...written.keys()].sort((a, b) => b.length - a.length)
  const sources = longestFirst.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern =
    sources.length === 0 ? /(?!)/g : new RegExp(`(?<![\\w-])(?:${sources.join('|')})(?![\\w-])`, 'g')
  searches.set(known, { written, pattern })
  return { written, pattern }
}
