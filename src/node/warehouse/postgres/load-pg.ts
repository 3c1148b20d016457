import { HindcastError } from '../../../error.js'

/** PostgreSQL's client as it is imported. */
export type Pg = typeof import('pg')

/** Loaded on first use: it is optional, and commands that read files start without it. */
export async function loadPg(): Promise<Pg> {
  try {
    return (await import('pg')).default as unknown as Pg
  } catch (cause) {
    throw new HindcastError('bad-option', 'The client for PostgreSQL is not installed.', {
      remedy: 'Install it with npm install pg.',
      cause,
    })
  }
}
