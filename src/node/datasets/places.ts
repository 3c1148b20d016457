import { homedir } from 'node:os'
import path from 'node:path'

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The folder named by `HINDCAST_DATA`, as an absolute path; undefined when it is unset or empty. */
export function dataFolder(env: Environment = process.env): string | undefined {
  return env['HINDCAST_DATA'] ? path.resolve(env['HINDCAST_DATA']) : undefined
}

/**
 * The folder that keeps what Hindcast downloads: `HINDCAST_CACHE`, else `$XDG_CACHE_HOME/hindcast`, else
 * `~/Library/Caches/hindcast` on macOS, `%LOCALAPPDATA%\hindcast` on Windows and `~/.cache/hindcast` elsewhere.
 */
export function cacheFolder(env: Environment = process.env, platform: string = process.platform): string {
  if (env['HINDCAST_CACHE']) return path.resolve(env['HINDCAST_CACHE'])
  // The XDG specification says to ignore relative paths.
  const xdg = env['XDG_CACHE_HOME']
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'hindcast')
  if (platform === 'win32') {
    const local = env['LOCALAPPDATA'] || path.join(env['USERPROFILE'] || homedir(), 'AppData', 'Local')
    return path.join(local, 'hindcast')
  }
  const home = env['HOME'] || homedir()
  if (platform === 'darwin') return path.join(home, 'Library', 'Caches', 'hindcast')
  return path.join(home, '.cache', 'hindcast')
}
