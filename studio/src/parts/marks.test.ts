import { describe, expect, it } from 'vitest'
import { type Mark, markAt, middleOf } from './marks.js'

const size = { width: 800, height: 400 }
const mark = (left: number, top: number, width: number, height: number): Mark => ({
  element: {} as Element,
  text: '',
  box: {
    left: left / size.width,
    top: top / size.height,
    width: width / size.width,
    height: height / size.height,
  },
})
const [dot, other, bar] = [mark(100, 100, 6, 6), mark(110, 100, 6, 6), mark(300, 50, 60, 300)]
const marks = [dot, other, bar]

describe('the mark that a pointer means', () => {
  it('is the nearest small one', () => {
    expect(markAt(marks, null, { x: 104, y: 108 }, size)).toBe(0)
    expect(markAt(marks, null, { x: 111, y: 108 }, size)).toBe(1)
  })

  it('is none where nothing is near', () => {
    expect(markAt(marks, null, { x: 150, y: 300 }, size)).toBe(-1)
  })

  it('is a large one only where the pointer is on it', () => {
    expect(markAt(marks, null, { x: 320, y: 200 }, size)).toBe(-1)
    expect(markAt(marks, bar.element, { x: 320, y: 200 }, size)).toBe(2)
  })

  it('stays the same when the drawing is shown larger', () => {
    expect(middleOf(dot, { width: 1600, height: 800 })).toEqual({ x: 206, y: 206 })
  })
})
