import { describe, expect, it } from 'vitest'
import { comment } from './layout.js'

describe('comments', () => {
  it('end with no kind of line break', () => {
    expect(comment('a\r\nb\u2028c\vd\re').split('\n').every((line) => line.startsWith('-- '))).toBe(true) // prettier-ignore
  })
})
