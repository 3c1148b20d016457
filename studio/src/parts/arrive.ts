let isFirst = true

/** For a view that has just been shown: moves the focus to its heading, so that a screen reader reads on there. The page itself opens without that. */
export function arrive(view: Element): void {
  if (!isFirst) {
    const heading = view.querySelector<HTMLElement>('h1')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
  }
  isFirst = false
}
