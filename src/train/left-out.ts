/** The correction of a drawn item that is the clicked or shown one: e^{s − c} is 0, so that it is not counted twice. */
export const LEFT_OUT = 1e30
