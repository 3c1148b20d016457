import { HindcastError } from '../error.js'
import { given } from '../given.js'
import { looksLikeAddress } from '../node/warehouse/address.js'
import type { Command } from './command.js'
import { jsonOption, tell } from './outputs.js'
import { LOG_LISTS, LOG_OPTIONS, parseHeader } from './log-options.js'
import { number, onlyPositional, text } from './parse.js'

export const preview: Command = {
  name: 'preview',
  usage: 'preview LOG [options]',
  about:
    'Shows the first rows of a file as they are, what kind of file it is, its columns and the paths into them, which columns of a log they seem to be, and what you still have to say.',
  options: {
    rows: { value: 'N', help: 'how many rows to show (5)' },
    format: LOG_OPTIONS.format!,
    header: LOG_OPTIONS.header!,
    ...jsonOption('all of it'),
  },
  examples: [
    ['hindcast preview clicks.ndjson', 'what is in this file?'],
    ['hindcast preview clicks.parquet --rows 20 --json -', 'more rows, for a program'],
    ['zcat log.csv.gz | hindcast preview - --header none', 'a table without a header line, from a pipe'],
  ],
  lists: LOG_LISTS.slice(0, 1),
  async run(args, context) {
    const { previewLogFile } = await import('../node/preview-file.js')
    const header = text(args, 'header')
    const log = onlyPositional(args, 'preview', 'a log')
    if (looksLikeAddress(log))
      throw new HindcastError('bad-option', 'hindcast preview shows files, and this is an address.', {
        remedy: `For a table of a warehouse: hindcast describe ${log} --table shop.impressions`,
      })
    const seen = await previewLogFile(log, {
      ...given({
        format: text(args, 'format'),
        header: header === undefined ? undefined : parseHeader(header),
        rows: number(args, 'rows'),
      }),
      signal: context.signal,
    })
    const words = async (): Promise<string> =>
      (await import('./preview-text.js')).previewText(seen, log, context.terminal)
    await tell(seen, words, args, context)
    return 0
  },
}
