import { describe, expect, it } from 'vitest'
import { otherFile } from './other-file.js'

const may = { name: 'may.csv', print: 'a0-00000000000000' }

describe('another file', () => {
  it('is none where it is the same, under whatever name, or where nobody knows', () => {
    expect(otherFile('link', may, { ...may, name: 'may (1).csv' })).toBeUndefined()
    expect(otherFile('link', { ...may, print: '' }, may)).toBeUndefined()
  })

  it('is said, with how it differs', () => {
    expect(otherFile('link', may, { name: 'may.csv', print: 'a1-00000000000000' })).toMatch(
      /^This link was made with another file: may\.csv had 360 bytes, this one has 361 bytes\./,
    )
    expect(otherFile('session', may, { name: 'june.csv', print: 'a1-00000000000000' })).toMatch(
      /^This session was made with another file: may\.csv had 360 bytes, june\.csv has 361 bytes\./,
    )
    for (const print of ['a0-00000000000001', '<b>', '9e9'])
      expect(otherFile('link', { ...may, print }, may)).toMatch(/: may\.csv has different contents\./)
  })
})
