import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The folder of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** README and the pages of docs/, by their paths from the root. */
export async function userPages(): Promise<string[]> {
  const names = await readdir(new URL('../docs', import.meta.url), { recursive: true })
  const pages = names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)
  return ['README.md', ...pages.toSorted()]
}
