import { spawn } from 'node:child_process'

const OPENERS: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens an address in the user's browser; calls `onFailure` if that fails. */
export function openInBrowser(url: string, onFailure: () => void): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const opener = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  opener.once('error', onFailure)
  opener.once('exit', (code) => {
    if (code !== 0) onFailure()
  })
  opener.unref()
}
