/**
 * Ids that a person may mean, at most `most`: those that begin with what was typed, then those that contain it, each
 * in the order given; case is ignored.
 */
export function matchingIds(ids: Iterable<string>, typed: string, most = 20): string[] {
  const sought = typed.trim().toLowerCase()
  const beginning: string[] = []
  const holding: string[] = []
  for (const id of ids) {
    const at = id.toLowerCase().indexOf(sought)
    if (at === 0) beginning.push(id)
    else if (at > 0 && holding.length < most) holding.push(id)
    if (beginning.length === most) break
  }
  return [...beginning, ...holding].slice(0, most)
}
