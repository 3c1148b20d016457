/** Milliseconds that a drawing may take without being felt. */
const FRAME = 16

/** Drawings that leave the page time for other things. */
export interface Drawing {
  /** Asks for a drawing; requests before it begins share it. */
  ask(): void
  stop(): void
}

/**
 * Draws at the next chance, all of it before `draw` returns, and then rests for as long as that took beyond a frame:
 * while a slider moves, the slider itself and keys stay quick, and pictures that would come too late are left out.
 */
export function drawWhenFree(draw: () => void): Drawing {
  let timer: ReturnType<typeof setTimeout> | undefined
  let freeAt = 0
  const step = (): void => {
    timer = undefined
    const began = performance.now()
    draw()
    const ended = performance.now()
    freeAt = ended + Math.max(0, ended - began - FRAME)
  }
  return {
    ask: () => void (timer ??= setTimeout(step, Math.max(0, freeAt - performance.now()))),
    stop: () => clearTimeout(timer),
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
