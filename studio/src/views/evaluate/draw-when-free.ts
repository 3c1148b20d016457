/** Milliseconds that a drawing may take without being felt. */
const FRAME = 16

/** Drawings that leave the page time for other things. */
export interface Drawing {
  /** Asks for the pictures; requests before the first of them begins share them. */
  ask(): void
  stop(): void
}

/**
 * Draws picture after picture at the next chances, each in a turn of its own so that keys and the slider come in between, and
 * then rests for as long as all of it took beyond a frame: pictures that would come too late are left out.
 */
export function drawWhenFree(pictures: readonly (() => void)[]): Drawing {
  let timer: ReturnType<typeof setTimeout> | undefined
  let freeAt = 0
  let isAsked = false
  const begin = (): void => {
    isAsked = false
    step(0, 0)
  }
  const step = (place: number, before: number): void => {
    const began = performance.now()
    pictures[place]!()
    const ended = performance.now()
    const took = before + ended - began
    if (place + 1 < pictures.length) timer = setTimeout(() => step(place + 1, took))
    else {
      timer = undefined
      freeAt = ended + Math.max(0, took - FRAME)
      if (isAsked) schedule()
    }
  }
  const schedule = (): void => void (timer ??= setTimeout(begin, Math.max(0, freeAt - performance.now())))
  return {
    ask: () => {
      isAsked = true
      schedule()
    },
    stop: () => {
      isAsked = false
      clearTimeout(timer)
      timer = undefined
    },
  }
}

/** A drawing that is made again only for another input; none for none. */
export function redrawn<Input extends object, Picture>(
  make: (input: Input) => Picture,
): (input: Input | undefined) => Picture | undefined {
  let last: { readonly input: Input; readonly picture: Picture } | undefined
  return (input) => {
    if (!input) return undefined
    if (last?.input !== input) last = { input, picture: make(input) }
    return last.picture
  }
}
