import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hashText, KeyTable, SeenTexts } from './key-table.js'

const texts = fc.array(
  fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('ÿ', 'Ā', '🐙', ''), fc.uuid()),
  {
    maxLength: 60,
  },
)

it('numbers texts as a map does', () => {
  fc.assert(
    fc.property(texts, texts, (added, others) => {
      const table = new KeyTable()
      const map = new Map<string, number>()
      for (const text of added) {
        if (!map.has(text)) map.set(text, map.size)
        expect(table.add(text)).toBe(map.get(text))
      }
      for (const text of [...added, ...others]) expect(table.find(text)).toBe(map.get(text) ?? -1)
      expect(table.count).toBe(map.size)
    }),
  )
})

it('knows which texts came before, among many', () => {
  for (const expected of [undefined, 20_000]) {
    const seen = new SeenTexts(expected)
    const isNew = (text: string): boolean => {
      hashText(text)
      return seen.isHashedNew()
    }
    for (let k = 0; k < 20_000; k++) expect(isNew(`decision-${k}`)).toBe(true)
    for (let k = 0; k < 20_000; k += 7) expect(isNew(`decision-${k}`)).toBe(false)
  }
})
