import { blobInput } from '$core/log/bytes/input.js'
import type { KeptPolicy } from './kept-session.js'

/** A file of a policy, as it was chosen or dropped. */
interface PolicyFile {
  readonly path: string
  readonly file: Blob
}

let kept: ReadonlyMap<string, readonly PolicyFile[]> = $state.raw(new Map())
let take: ((files: readonly PolicyFile[]) => void) | undefined
/** Policies of a session that nobody has taken yet: their view may not be loaded. */
let returned: (readonly PolicyFile[])[] = []

/** Keeps the files of a policy by their fingerprint, so that sessions hold them. */
export function keepPolicyFiles(fingerprint: string, files: readonly PolicyFile[]): void {
  kept = new Map([...kept, [fingerprint, files]])
}

/** Says who takes policies that a session brings back; those that wait are handed over at once. */
export function onPolicyFiles(taker: (files: readonly PolicyFile[]) => void): void {
  take = taker
  for (const files of returned) taker(files)
  returned = []
}

/** The fingerprints of the policies from files that the settings of a link name; reading them follows them. */
export const namedPolicies = (link: string): string[] =>
  [...kept.keys()].filter((fingerprint) => link.includes(fingerprint))

/** The policies from files that the settings of a link name, as sessions keep them. */
export const keptPolicies = (link: string): Promise<KeptPolicy[]> =>
  Promise.all(
    namedPolicies(link).map(async (fingerprint) => ({
      fingerprint,
      files: await Promise.all(
        kept.get(fingerprint)!.map(async ({ path, file }) => {
          const bytes = (await blobInput(path, file).slice(0)) as Uint8Array<ArrayBuffer>
          return { path, bytes }
        }),
      ),
    })),
  )

/** Hands the policies of a session to whoever takes them. */
export function returnPolicies(policies: readonly KeptPolicy[]): void {
  for (const { fingerprint, files } of policies) {
    if (kept.has(fingerprint)) continue
    const given = files.map(({ path, bytes }) => ({ path, file: new Blob([bytes]) }))
    keepPolicyFiles(fingerprint, given)
    if (take) take(given)
    else returned.push(given)
  }
}
