import type { ListedCommand } from './command.js'

/** The commands of the package itself. */
export const COMMANDS: readonly ListedCommand[] = [
  {
    name: 'simulate',
    summary: 'draw a log from a simulated world with known true values',
    load: async () => (await import('./simulate.js')).simulate,
  },
  {
    name: 'preview',
    summary: 'show the first rows of a file and which columns they seem to be',
    load: async () => (await import('./preview.js')).preview,
  },
  {
    name: 'describe',
    summary: 'summarise a log in numbers and figures',
    load: async () => (await import('./describe.js')).describe,
  },
  {
    name: 'doctor',
    summary: 'find mistakes in a log before they cost a week',
    load: async () => (await import('./doctor.js')).doctor,
  },
  {
    name: 'split',
    summary: 'cut a log into parts: one to make a policy from, one to evaluate it on',
    load: async () => (await import('./split.js')).split,
  },
  {
    name: 'evaluate',
    summary: 'estimate what another policy would have earned',
    load: async () => (await import('./evaluate.js')).evaluate,
  },
  {
    name: 'sql',
    summary: 'print one SQL statement whose result evaluate reads, for any warehouse',
    load: async () => (await import('./sql.js')).sql,
  },
  {
    name: 'compare',
    summary: 'compare several policies on the same log, paired',
    load: async () => (await import('./compare.js')).compare,
  },
  {
    name: 'plan',
    summary: 'how many more rows, users and days a decision needs',
    load: async () => (await import('./plan.js')).plan,
  },
  {
    name: 'train',
    summary: 'train a recommender corrected for exposure bias',
    load: async () => (await import('./train.js')).train,
  },
  {
    name: 'tune',
    summary: 'choose loss, rate and sizes of a recommender within a few minutes',
    load: async () => (await import('./tune.js')).tune,
  },
  {
    name: 'recommend',
    summary: 'list what a trained model recommends to a known or new user',
    load: async () => (await import('./recommend.js')).recommend,
  },
  {
    name: 'studio',
    summary: 'do all of this in a web page; your data stays in the browser',
    load: async () => (await import('./studio.js')).studio,
  },
  {
    name: 'data',
    summary: 'list, fetch and find public data sets',
    load: async () => (await import('./data.js')).data,
  },
]
