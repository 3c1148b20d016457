import { logPartOf, readLink, writeLink } from './link.js'

type Settings = Record<string, string | number | boolean>

/** Settings by their name in links. */
let groups: readonly { name: string; defaults: Settings; current: Settings }[] = $state.raw([])

/**
 * Settings that a link keeps: reactive, first as in the link of the page, else the defaults. What differs
 * from the defaults is written to the address of the page as it changes.
 */
export function linked<S extends Settings>(name: string, defaults: S): S {
  const current: S = $state({ ...defaults, ...givenBy(location.hash, name, defaults) })
  groups = [...groups, { name, defaults, current }]
  return current
}

/** The view that the link names; `show` goes to another, so that the browser's back button returns. */
export const place = $state({ view: readLink(location.hash).view })

export function show(view: string): void {
  place.view = view
  history.pushState(null, '', address())
}

/** Leaves the present address behind as a place to return to; what is set from now on is another. */
export function leaveBehind(): void {
  history.pushState(null, '', address())
}

/** The part of the address after the #, with everything that is set now. */
export const linkNow = (): string => address()

/** What is said about one log only: its parts, items and columns, the range of its rewards, what is known of it. */
const OF_ONE_LOG =
  /^(part|plan|segments)\.|^log-view\.((from|to)(User)?|item)$|^evaluate\.(reward(Least|Most)|maxWeight|policyMade|facts|known(Rows|Reward))$/

/** Takes back what was said about a log, before another is opened: of that one, nobody has said it. */
export function forgetSaidOfLog(): void {
  const { view, settings } = readLink(location.hash)
  // Views not yet opened find their settings in the address.
  const kept = new Map([...settings].filter(([key]) => !OF_ONE_LOG.test(key)))
  history.replaceState(null, '', writeLink({ view, settings: kept }))
  for (const { name, defaults, current } of groups)
    for (const [key, value] of Object.entries(defaults))
      if (OF_ONE_LOG.test(`${name}.${key}`)) current[key] = value
}

/** Takes everything that a link holds, as if it had been typed. */
export function takeLink(hash: string): void {
  history.pushState(null, '', hash)
  take()
}

function take(): void {
  place.view = readLink(location.hash).view
  for (const { name, defaults, current } of groups)
    Object.assign(current, defaults, givenBy(location.hash, name, defaults))
}

/**
 * Keeps the address of the page up to date with the settings, and the settings with an address that is typed or returned to.
 * `onFollow` is called then; before that `mayLeave`, where the address leads to another log: if it says no, the page and its
 * address stay as they are.
 */
export function followLinks(on: { mayLeave: (hash: string) => boolean; onFollow: () => void }): void {
  $effect(() => history.replaceState(null, '', address()))
  const follow = (): void => {
    const { hash } = location
    if (logPartOf(hash) !== logPartOf(address()) && !on.mayLeave(hash))
      return history.pushState(null, '', address())
    take()
    on.onFollow()
  }
  $effect(() => {
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  })
}

function address(): string {
  // Settings of views not yet opened are kept for them.
  const isOurs = (key: string): boolean => groups.some(({ name }) => key.startsWith(`${name}.`))
  const settings = new Map([...readLink(location.hash).settings].filter(([key]) => !isOurs(key)))
  for (const { name, defaults, current } of groups)
    for (const [key, value] of Object.entries(current))
      if (value !== defaults[key]) settings.set(`${name}.${key}`, String(value))
  return writeLink({ view: place.view, settings })
}

/** The settings of a group that a link gives, of the types of their defaults; what does not fit is ignored. */
function givenBy(hash: string, name: string, defaults: Settings): Settings {
  const given: Settings = {}
  for (const [key, text] of readLink(hash).settings) {
    const [group, setting = ''] = key.split('.')
    if (group !== name || !Object.hasOwn(defaults, setting)) continue
    const fallback = defaults[setting]
    if (typeof fallback === 'number') {
      const value = Number(text)
      if (text.trim() !== '' && !Number.isNaN(value)) given[setting] = value
    } else given[setting] = typeof fallback === 'boolean' ? text === 'true' : text
  }
  return given
}
