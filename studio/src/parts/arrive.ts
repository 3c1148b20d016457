let hasActed = false
for (const act of ['pointerdown', 'keydown', 'drop'])
  addEventListener(act, () => (hasActed = true), { capture: true, once: true })

/**
 * For a view that has just been shown: moves the focus to its heading, so that a screen reader reads on there. Not while the
 * page opens, before anybody has done anything in it: then reading starts at the top.
 */
export function arrive(view: Element): void {
  if (!hasActed) return
  const heading = view.querySelector<HTMLElement>('h1')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}
