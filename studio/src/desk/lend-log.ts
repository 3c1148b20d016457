import { held } from './held.js'

/** Sends a copy of the log through a port, past the page: the worker at its other end gets it. */
export function lendLog(port: MessagePort): void {
  port.postMessage(held().log)
  port.close()
}
