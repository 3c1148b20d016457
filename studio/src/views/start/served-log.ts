import { SERVED_LOG } from '../../desk/log-source.js'

/** The log that `hindcast studio --log FILE` offers; null on a host without one. */
export async function servedLog(): Promise<{ name: string } | null> {
  try {
    const about: unknown = await (await fetch(SERVED_LOG.about)).json()
    const { name } = about as { name?: unknown }
    return typeof name === 'string' ? { name } : null
  } catch {
    return null
  }
}

/** Its bytes, as a file like one that was dropped. */
export async function fetchServedLog({ name }: { name: string }): Promise<File> {
  return new File([await (await fetch(SERVED_LOG.bytes)).blob()], name)
}
