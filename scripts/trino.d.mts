/** Why Trino cannot run here. */
export class TrinoUnavailable extends Error {}

export interface TrinoOptions {
  readonly log?: (line: string) => void
  readonly heap?: string
  /** Quick at many small questions instead of at large ones. */
  readonly isQuick?: boolean
  /** The coordinator also listens with encryption: a certificate with its key, and the passwords of users. */
  readonly tls?: { readonly pem: string; readonly users: Readonly<Record<string, string>> }
}

export interface RunningTrino {
  readonly port: number
  readonly httpsPort?: number
  /** Where files lie that the hive catalog names as `local:///…`. */
  readonly folder: string
  readonly seconds: number
  readonly pids: { readonly coordinator: number; readonly worker: number }
  kill(what: 'coordinator' | 'worker'): void
  stop(): Promise<void>
}

export function startTrino(options?: TrinoOptions): Promise<RunningTrino>
export function fetchTrino(log?: (line: string) => void): Promise<void>
