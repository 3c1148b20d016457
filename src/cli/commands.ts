import type { ListedCommand } from './command.js'

/** The commands of the package itself. */
export const COMMANDS: readonly ListedCommand[] = [
  {
    name: 'simulate',
    summary: 'draw a log from a world whose truth is known',
    load: async () => (await import('./simulate.js')).simulate,
  },
  {
    name: 'describe',
    summary: 'say what a log holds, and draw it',
    load: async () => (await import('./describe.js')).describe,
  },
  {
    name: 'doctor',
    summary: 'find mistakes in a log before they cost a week',
    load: async () => (await import('./doctor.js')).doctor,
  },
  {
    name: 'evaluate',
    summary: 'would another policy have done better, and how sure are we?',
    load: async () => (await import('./evaluate.js')).evaluate,
  },
  {
    name: 'compare',
    summary: 'compare policies on the same log, paired',
    load: async () => (await import('./compare.js')).compare,
  },
  {
    name: 'train',
    summary: 'train a recommender that is not fooled by what was shown',
    load: async () => (await import('./train.js')).train,
  },
  {
    name: 'recommend',
    summary: 'what a trained model would show a user, known or new',
    load: async () => (await import('./recommend.js')).recommend,
  },
  {
    name: 'studio',
    summary: 'all of it in a web page that computes by itself',
    load: async () => (await import('./studio.js')).studio,
  },
  {
    name: 'data',
    summary: 'list, fetch and find public data sets',
    load: async () => (await import('./data.js')).data,
  },
]
