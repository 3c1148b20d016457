import { HindcastError } from '../error.js'
import { given } from '../given.js'
import { suggest } from '../suggest.js'
import { FACT_WORDS } from '../verdict/declared.js'
import { type Fact, FACTS, type Said, type Totals, type VerdictOptions } from '../verdict/said.js'
import type { Arguments, ChoiceList, Option } from './command.js'
import { oneOf, repeated, text } from './parse.js'

/** The option of commands that compare a log with what is known of it. */
export const TOTALS_OPTION: Readonly<Record<string, Option>> = {
  totals: {
    value: 'FILE|rows=N,reward=R',
    help: 'rows and rewards that a dashboard or the billing knows of: two numbers, or a table with columns day, rows and reward; shows rows and rewards that are missing or doubled, and by how much they move the answer',
  },
}

/** The options by which a user says what no check can see. */
export const SAID_OPTIONS: Readonly<Record<string, Option>> = {
  'policy-made': {
    value: 'WHERE',
    help: 'where the policy, with every model in it, was made: elsewhere, held-out (from rows held out of this log) or this-log',
  },
  said: {
    value: 'FACTS',
    help: 'what you know of the log, comma-separated: each of the facts below, or FACT=no where it does not hold',
  },
  strict: { help: 'what was not said lowers the verdict to caution, instead of being taken for granted' },
  matters: {
    value: 'SHARE',
    help: 'the smallest difference that matters to you, as a share of the value, such as 1%: a fault is measured against it where the interval is narrower',
  },
  accept: {
    value: 'CODE=WHY',
    repeated: true,
    help: 'a reason in the verdict that you know to be harmless, and why; may be given several times',
  },
  ...TOTALS_OPTION,
}

/** The facts, with what each says. */
export const FACT_LIST: ChoiceList = {
  heading: 'What you may know of a log (--said)',
  rows: () => FACTS.map((fact) => [fact, FACT_WORDS[fact].holds]),
}

/** What the user told the verdict. */
export async function saidAsked(args: Arguments): Promise<VerdictOptions> {
  return given({
    said: saidOf(args),
    matters: shareOf(args, 'matters'),
    accept: await acceptedOf(repeated(args, 'accept')),
    totals: await totalsAsked(args),
    strict: args.values['strict'] === true ? true : undefined,
  })
}

function saidOf(args: Arguments): Said | undefined {
  const policyMade = oneOf(args, 'policy-made', ['elsewhere', 'held-out', 'this-log'] as const)
  const typed = text(args, 'said')
  if (policyMade === undefined && typed === undefined) return undefined
  return given({ policyMade, facts: typed === undefined ? undefined : factsOf(typed) })
}

/** Reads `complete,people=no`. */
function factsOf(typed: string): NonNullable<Said['facts']> {
  const facts: { [fact in Fact]?: boolean } = {}
  for (const word of typed.split(',').map((part) => part.trim())) {
    const [name = '', answer = 'yes', ...more] = word.split('=').map((part) => part.trim())
    const fact = FACTS.find((one) => one === name)
    if (!fact) {
      const meant = suggest(name, FACTS)
      throw new HindcastError('unknown-name', `--said knows no fact ${JSON.stringify(name)}.`, {
        remedy: `${meant ? `Did you mean ${meant}? ` : ''}There are ${FACTS.join(', ')}.`,
      })
    }
    if ((answer !== 'yes' && answer !== 'no') || more.length > 0)
      throw new HindcastError('bad-option', `--said expects ${fact}=yes or ${fact}=no, not ${word}.`, {
        remedy: `For example: --said ${fact}, which is the same as --said ${fact}=yes.`,
      })
    if (facts[fact] !== undefined)
      throw new HindcastError('bad-option', `--said has ${fact} twice.`, { remedy: 'Say it once.' })
    facts[fact] = answer === 'yes'
  }
  return facts
}

/** A share as a percentage or a fraction: `1%`, `0.01`. */
function shareOf(args: Arguments, name: string): number | undefined {
  const typed = text(args, name)
  if (typed === undefined) return undefined
  const [, digits, percent] = /^\s*([\d.]+(?:e-?\d+)?)\s*(%?)\s*$/i.exec(typed) ?? []
  const share = Number(digits) / (percent ? 100 : 1)
  if (share > 0 && share < 1) return share
  throw new HindcastError(
    'bad-option',
    `--${name} expects a share of the value, not ${JSON.stringify(typed)}.`,
    {
      remedy: `For example: --${name} 1%`,
    },
  )
}

/** Reads `CODE=why`, each once. */
async function acceptedOf(typed: readonly string[]): Promise<Record<string, string> | undefined> {
  if (typed.length === 0) return undefined
  const { REASONS } = await import('../verdict/registry.js')
  const known = REASONS.map(({ code }) => code)
  const accepted: Record<string, string> = {}
  for (const one of typed) {
    const [, code, why] = /^([a-z][a-z0-9-]*)=\s*(.*\S)\s*$/s.exec(one) ?? []
    if (code === undefined || why === undefined)
      throw new HindcastError(
        'bad-option',
        `--accept expects the code of a reason and why it is harmless, not ${JSON.stringify(one)}.`,
        { remedy: 'For example: --accept "rewards-late=orders of the last week are final"' },
      )
    if (!known.includes(code)) {
      const meant = suggest(code, known)
      throw new HindcastError('unknown-name', `--accept knows no reason ${JSON.stringify(code)}.`, {
        remedy: `${meant ? `Did you mean ${meant}? ` : ''}The JSON of an evaluation and docs/verdict.md have the codes of reasons.`,
      })
    }
    if (accepted[code] !== undefined)
      throw new HindcastError('bad-option', `--accept has ${code} twice.`, { remedy: 'Say why once.' })
    accepted[code] = why
  }
  return accepted
}

/** What is known of the log: numbers as typed, or a table in a file. */
export async function totalsAsked(args: Arguments): Promise<Totals | undefined> {
  const typed = text(args, 'totals')
  if (typed === undefined) return undefined
  if (/^\s*(rows|reward)\s*=/.test(typed)) return numbersOf(typed)
  const [{ readTotals }, { namedInput }] = await Promise.all([
    import('../read/totals.js'),
    import('../node/file-input.js'),
  ])
  const remedy = 'Check the path, or give two numbers: --totals rows=1200000,reward=34000.'
  return readTotals(await namedInput(typed, remedy))
}

function numbersOf(typed: string): Totals {
  const totals: { rows?: number; reward?: number } = {}
  for (const pair of typed.split(',')) {
    const [name, text, ...more] = pair.split('=').map((part) => part.trim())
    const value = text === undefined || text === '' ? NaN : Number(text)
    const isSound = (name === 'rows' && value > 0) || name === 'reward'
    if (!isSound || !Number.isFinite(value) || more.length > 0 || totals[name] !== undefined)
      throw new HindcastError('bad-option', `--totals does not accept ${JSON.stringify(typed)}.`, {
        remedy:
          'Give rows, reward or both, without separators of thousands: --totals rows=1200000,reward=34000.',
      })
    totals[name] = value
  }
  return totals
}
