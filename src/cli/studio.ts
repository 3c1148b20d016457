import { HindcastError } from '../error.js'
import type { Arguments, Command } from './command.js'
import { wrap } from './format.js'
import { text, wholeNumber } from './parse.js'

export const studio: Command = {
  name: 'studio',
  usage: 'studio [options]',
  about:
    'Serves the web studio: drop a log, look at it, move policies and watch the estimates, train. Everything is computed in the browser: a log that is dropped there stays there.',
  options: {
    log: { type: 'string', value: 'FILE', help: 'a log for the page to open, - for standard input' },
    port: { type: 'string', value: 'N', help: 'the port (default 4600, or the next free one)' },
    host: {
      type: 'string',
      value: 'H',
      help: 'the address to listen at (default 127.0.0.1: this machine alone)',
    },
    open: { type: 'boolean', help: 'open it in the browser' },
  },
  examples: [
    ['hindcast studio --open', 'the studio, in your browser'],
    ['hindcast studio --log clicks.parquet --open', 'with a log of yours'],
    ['hindcast studio --host 0.0.0.0 --port 8080', 'for others to use; they need no log of yours'],
  ],
  notes: ['Stop it with Ctrl-C.'],
  async run(args, { terminal, signal }) {
    if (args.positionals.length > 0)
      throw new HindcastError(
        'bad-option',
        `hindcast studio takes no ${JSON.stringify(args.positionals[0])} on its own.`,
        { remedy: `For a log say --log ${args.positionals[0]}.` },
      )
    const port = portOf(args)
    const host = text(args, 'host')
    const named = text(args, 'log')
    const { offerLog } = await import('../node/studio/offer-log.js')
    const log = named === undefined ? undefined : await offerLog(named, signal)
    const { DEFAULT_PORT, startStudio } = await import('../node/studio/start-studio.js')
    const running = await startStudio({
      ...(port !== undefined && { port }),
      ...(host !== undefined && { host }),
      ...(log && { log }),
    })
    if (port === undefined && running.port !== DEFAULT_PORT)
      terminal.note(`Port ${DEFAULT_PORT} is taken; this is the next free one.`)
    terminal.print(`Studio: ${terminal.style('bold', running.url)}`)
    if (log) terminal.print(`Log: ${log.name}`)
    if (!running.isLocal)
      terminal.note(
        wrap(
          `Anyone who can reach port ${running.port} of this machine can read the page${log ? ' and the log' : ''}. Browsers elsewhere compute with one thread, since the address is not secure.`,
        ),
      )
    terminal.note('Stop it with Ctrl-C.')
    if (args.values['open'] === true) {
      const { openInBrowser } = await import('../node/studio/open-in-browser.js')
      openInBrowser(running.url, () =>
        terminal.note(`No browser could be opened: go to ${running.url} yourself.`),
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
    throw new HindcastError('bad-option', `--port ${port} is no port.`, { remedy: 'Ports end at 65535.' })
  return port
}

/** Resolves with Ctrl-C: the way to end a server, and no error. */
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
