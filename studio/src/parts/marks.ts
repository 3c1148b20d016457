/** A mark of a drawing that has exact values. */
export interface Mark {
  readonly element: Element
  readonly text: string
  /** Its box as fractions of the drawing's, so that it holds at any size. */
  readonly box: Box
}

interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Marks smaller than this, in pixels, are found by pointing near them; larger ones only by pointing at them. */
const SMALL = 40
/** How near is near, in pixels. */
const NEAR = 16

/**
 * The marks of a drawing from left to right. Their <title> is taken out of the page, where browsers would show it
 * late and next to ours.
 */
export function takeMarks(svg: SVGSVGElement): Mark[] {
  const titled = [...svg.querySelectorAll('title')].map((title) => ({ title, element: title.parentElement! }))
  const whole = svg.getBoundingClientRect()
  const marks = titled.map(({ element, title }) => {
    const box = element.getBoundingClientRect()
    return {
      element,
      text: title.textContent ?? '',
      box: {
        left: (box.left - whole.left) / whole.width,
        top: (box.top - whole.top) / whole.height,
        width: box.width / whole.width,
        height: box.height / whole.height,
      },
    }
  })
  for (const { title } of titled) title.remove()
  return marks.sort((a, b) => centreOf(a.box).x - centreOf(b.box).x || centreOf(a.box).y - centreOf(b.box).y)
}

const centreOf = ({ left, top, width, height }: Box): { x: number; y: number } => ({
  x: left + width / 2,
  y: top + height / 2,
})

/** The middle of a mark in pixels of a drawing of this size. */
export function middleOf({ box }: Mark, size: { width: number; height: number }): { x: number; y: number } {
  const { x, y } = centreOf(box)
  return { x: x * size.width, y: y * size.height }
}

/** The mark that a pointer at x, y means, as its index; −1 where there is none. */
export function markAt(
  marks: readonly Mark[],
  target: EventTarget | null,
  { x, y }: { x: number; y: number },
  size: { width: number; height: number },
): number {
  let best = -1
  let nearest = NEAR
  marks.forEach((mark, k) => {
    if (mark.box.width * size.width > SMALL || mark.box.height * size.height > SMALL) return
    const middle = middleOf(mark, size)
    const distance = Math.hypot(middle.x - x, middle.y - y)
    if (distance < nearest) [best, nearest] = [k, distance]
  })
  return best >= 0 ? best : marks.findIndex(({ element }) => element === target)
}
