const KEY = 'hindcast-tab'
let name: string | undefined

/** What tells this tab from others; the same after a reload. */
export function tabName(): string {
  name ??= stored()
  return name
}

function stored(): string {
  const fresh = Array.from(crypto.getRandomValues(new Uint32Array(2)), (word) => word.toString(36)).join('')
  try {
    const known = sessionStorage.getItem(KEY) ?? fresh
    sessionStorage.setItem(KEY, known)
    return known
  } catch {
    return fresh
  }
}
