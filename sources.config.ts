import { fileURLToPath } from 'node:url'
import type { Alias } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/**
 * Where names lead while nothing is built: the public names of the package, by which the study uses it, to their
 * sources; `$core` and `$study` to those folders, for the studio.
 */
export const sources: Alias[] = [
  { find: '$core', replacement: here('src') },
  { find: '$study', replacement: here('study/src') },
  { find: /^hindcast$/, replacement: here('src/index.ts') },
  { find: /^hindcast\/(\w+)$/, replacement: `${here('src')}/$1/index.ts` },
]
