/** What the bundler knows of modules. */
interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/**
 * Names one chunk for all that the first page needs at once: what other views share with it would else be a file for each
 * combination of views.
 */
export function firstPage(entry: string): (id: string, modules: Modules) => string | null {
  let needed: ReadonlySet<string> | undefined
  return (id, modules) => ((needed ??= reachable(entry, modules)).has(id) ? 'page' : null)
}

/** The modules that one imports, and that these import; not what they load later. */
function reachable(entry: string, modules: Modules): ReadonlySet<string> {
  const found = new Set([entry])
  for (const id of found)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}
