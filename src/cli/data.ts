import { HindcastError } from '../error.js'
import { suggest } from '../suggest.js'
import type { Arguments, Command, Context } from './command.js'
import { formatCount } from '../number-text.js'
import { columns, wrap } from './format.js'
import { progressLine } from './progress-line.js'

export const data: Command = {
  name: 'data',
  usage: 'data list | fetch NAME | where NAME',
  about:
    'Public data sets: MovieLens 100K, 1M and latest-small, and Open Bandit. Hindcast looks in the folder HINDCAST_DATA, then in its cache (HINDCAST_CACHE, or the default cache folder of your system). Otherwise it downloads, verifies and unpacks them.',
  options: {
    json: { help: 'print the list as JSON' },
  },
  examples: [
    ['hindcast data list', 'what is available, and what is already on this machine'],
    ['hindcast data fetch ml-100k', 'download MovieLens 100K and print its licence'],
    ['hindcast describe "$(hindcast data where ml-100k)" --format movielens', 'use it'],
  ],
  async run(args, context) {
    const [verb, name, ...more] = args.positionals
    if (verb === 'list' && name === undefined) return list(args, context)
    if ((verb === 'fetch' || verb === 'where') && name !== undefined && more.length === 0)
      return verb === 'fetch' ? fetchNamed(name, context) : where(name, context)
    const meant = verb === undefined ? undefined : suggest(verb, ['list', 'fetch', 'where'])
    throw new HindcastError(
      'bad-option',
      `hindcast data does not understand ${JSON.stringify(args.positionals.join(' '))}.`,
      {
        remedy: `${meant && meant !== verb ? `Did you mean ${meant}? ` : ''}Use data list, data fetch NAME or data where NAME.`,
      },
    )
  },
}

async function list(args: Arguments, { terminal }: Context): Promise<number> {
  const { listDatasets } = await import('../node/datasets/index.js')
  const datasets = await listDatasets()
  if (args.values['json']) {
    terminal.print(
      JSON.stringify(
        datasets.map((dataset) => ({ ...dataset, present: dataset.present ?? null })),
        null,
        2,
      ),
    )
    return 0
  }
  for (const { name, title, description, rows, users, items, size, format, present } of datasets) {
    const numbers = Object.entries({ rows, users, items }).flatMap(([what, value]) =>
      value === undefined ? [] : [`${formatCount(value)} ${what}`],
    )
    terminal.print(`${terminal.style('bold', name)}  ${title}`)
    terminal.print(wrap(description, 80, '  '))
    terminal.print(
      columns([
        [
          'size',
          `${numbers.join(', ')}${numbers.length > 0 ? '; ' : ''}download about ${Math.ceil(size / 1e6)} MB`,
        ],
        ['read with', `--format ${format}`],
        ['on disk', present ?? `no; get it with hindcast data fetch ${name}`],
      ]),
    )
    terminal.print()
  }
  return 0
}

async function fetchNamed(name: string, { terminal, signal }: Context): Promise<number> {
  const { fetchDataset } = await import('../node/datasets/index.js')
  const fetched = await fetchDataset(name, { progress: progressLine(terminal), signal })
  terminal.status('')
  terminal.print(fetched.path)
  if (fetched.notice !== undefined) terminal.note(wrap(fetched.notice))
  terminal.note(wrap(`Licence: ${fetched.licence}`))
  return 0
}

async function where(name: string, { terminal }: Context): Promise<number> {
  const { locateDataset } = await import('../node/datasets/index.js')
  const located = await locateDataset(name)
  if (located) {
    terminal.print(located.path)
    return 0
  }
  terminal.note(`${name} is not on this machine. Get it with: hindcast data fetch ${name}`)
  return 1
}
