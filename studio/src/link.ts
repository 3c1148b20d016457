/** What a link holds: the view, and settings by name; never the data. `#evaluate?log=toy&evaluate.target=uniform` */
export interface Link {
  readonly view: string
  readonly settings: ReadonlyMap<string, string>
}

/** Reads the part of an address after the #. */
export function readLink(hash: string): Link {
  const [view = '', query = ''] = hash.replace(/^#/, '').split('?', 2)
  return { view, settings: new Map(new URLSearchParams(query)) }
}

/** Writes the part of an address after the #, the settings in the order of their names. */
export function writeLink({ view, settings }: Link): string {
  const query = new URLSearchParams([...settings].toSorted(([a], [b]) => (a < b ? -1 : 1))).toString()
  return `#${view}${query === '' ? '' : `?${query}`}`
}

/** Which log a link leads to, and how it is read, as text. */
export const logPartOf = (hash: string): string =>
  writeLink({
    view: '',
    settings: new Map([...readLink(hash).settings].filter(([key]) => key.startsWith('log.'))),
  })
