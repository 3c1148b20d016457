import { HindcastError } from '../error.js'
import { given } from '../given.js'
import type { Arguments, Command } from './command.js'
import { wrap } from './format.js'
import { text, wholeNumber } from './parse.js'

export const studio: Command = {
  name: 'studio',
  usage: 'studio [options]',
  about:
    'Serves the web studio: open a log, explore it, adjust policies and watch the estimates change, train models. Everything is computed in the browser; a log you drop there never leaves it.',
  options: {
    log: { value: 'FILE', help: 'log to open in the page; - for standard input' },
    port: { value: 'N', help: 'port (default 4600, or the next free one)' },
    host: { value: 'H', help: 'address to listen on (default 127.0.0.1: this machine only)' },
    open: { help: 'open the page in your browser' },
  },
  examples: [
    ['hindcast studio --open', 'the studio, in your browser'],
    ['hindcast studio --log clicks.parquet --open', 'with your own log'],
    ['hindcast studio --host 0.0.0.0 --port 8080', 'let others use it, each with their own log'],
  ],
  notes: ['Press Ctrl-C to stop.'],
  async run(args, { terminal, signal }) {
    if (args.positionals.length > 0)
      throw new HindcastError(
        'bad-option',
        `hindcast studio takes only options, not ${JSON.stringify(args.positionals[0])}.`,
        { remedy: `To open a log, use --log ${args.positionals[0]}.` },
      )
    const port = portOf(args)
    const named = text(args, 'log')
    const { offerLog } = await import('../node/studio/offer-log.js')
    const log = named === undefined ? undefined : await offerLog(named, signal)
    const { DEFAULT_PORT, startStudio } = await import('../node/studio/start-studio.js')
    const running = await startStudio(given({ port, host: text(args, 'host'), log }))
    if (port === undefined && running.port !== DEFAULT_PORT)
      terminal.note(`Port ${DEFAULT_PORT} is in use; using ${running.port} instead.`)
    terminal.print(`Studio: ${terminal.style('bold', running.url)}`)
    if (log) terminal.print(`Log: ${log.name}`)
    if (!running.isLocal)
      terminal.note(
        wrap(
          `Anyone who can reach port ${running.port} of this machine can read the page${log ? ' and the log' : ''}. Browsers on other machines compute with a single thread, because the address is not secure.`,
        ),
      )
    terminal.note('Press Ctrl-C to stop.')
    if (args.values['open'] === true) {
      const { openInBrowser } = await import('../node/studio/start-studio.js')
      openInBrowser(running.url, () =>
        terminal.note(`Could not open a browser. Go to ${running.url} yourself.`),
      )
    }
    await aborted(signal)
    await running.close()
    return 0
  },
}

function portOf(args: Arguments): number | undefined {
  const port = wholeNumber(args, 'port')
  if (port !== undefined && port > 65_535)
    throw new HindcastError('bad-option', `--port ${port} is not a valid port.`, {
      remedy: 'Choose a port from 0 to 65535.',
    })
  return port
}

/** Resolves on Ctrl-C, the normal way to stop a server. */
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
