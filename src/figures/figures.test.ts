import { describe, expect, it } from 'vitest'
import type { Tally } from '../describe/describe.js'
import { createDocument } from '../node/dom.js'
import { type Chart, withoutHeading } from './chart.js'
import { clickRatePerItem, exposurePerItem, interactionsPerUser } from './index.js'

const document = createDocument()
const popularity = Array.from({ length: 200 }, (_, k) => Math.round(Math.exp((5 * k) / 199)))
const items = tallyOf(
  popularity,
  popularity.map((shown, k) => Math.round((shown * (k % 5)) / 7)),
)
const users = tallyOf(
  Array(1000).fill(5),
  Array.from({ length: 1000 }, (_, k) => k % 4),
)
const all = (items: Tally, users: Tally, catalogueKnown = true): Chart[] => [
  clickRatePerItem(items, { document }),
  exposurePerItem(items, { document, catalogueKnown }),
  interactionsPerUser(users, { document }),
]
const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length

describe('every figure', () => {
  const charts = all(items, users)

  it('is a complete SVG file with its words drawn in it', () => {
    for (const { svg, title } of charts) {
      expect(svg).toMatch(
        /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*width="\d+" height="\d+" viewBox="[^"]+"/,
      )
      expect(svg).toContain('role="img"')
      expect(svg).toContain('prefers-color-scheme: dark')
      expect(svg.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')).toContain(title.replace(/'/g, '&#39;'))
      expect(svg).not.toMatch(/NaN|Infinity|undefined/)
    }
  })

  it('names its axes', () => {
    const names = [
      ['Click rate', 'Impressions of the item (log scale)'],
      ['Impressions (log scale)', 'Rank of the item, most shown first (log scale)'],
      ['Users', 'Clicks of the user'],
    ]
    charts.forEach(({ svg, narrow }, k) => {
      for (const name of names[k]!)
        for (const picture of [svg, narrow]) expect(picture).toContain(`>${name}</text>`)
    })
  })

  it('is drawn to the same bytes from the same data', () => {
    expect(all(items, users)).toEqual(charts)
    expect(
      all(items, users, true)
        .map((chart) => chart.svg)
        .join(),
    ).not.toMatch(/plot-[0-9a-f]{4}/)
  })

  it('gives exact values on hover in the file, and leaves them out for phones', () => {
    for (const { svg, narrow } of charts) {
      expect(count(svg, /<title>/g)).toBeGreaterThan(4)
      expect(narrow).not.toContain('<title>')
    }
  })

  it('can be cut down to its plot and keeps the view box of the file', () => {
    for (const { svg } of charts) {
      const cut = withoutHeading(svg)
      expect(cut).toContain('width="880" height="440" viewBox="0 0 880 440" data-full="-16 -')
      expect(cut.length).toBeGreaterThan(svg.length - 50)
    }
  })

  it('has a table as wide as its columns', () => {
    for (const { table } of charts) {
      expect(table.rows.length).toBeGreaterThan(0)
      for (const row of table.rows) expect(row).toHaveLength(table.columns.length)
    }
  })

  it('colours only by variables that the file defines', () => {
    for (const { svg } of charts) {
      for (const [, name] of svg.matchAll(/var\((--[a-z-]+)\)/g)) expect(svg).toContain(`${name}:#`)
    }
  })

  it.each([
    ['one item and one user', tallyOf([40], [12]), tallyOf([40], [12])],
    ['one impression', tallyOf([1], [1]), tallyOf([1], [1])],
    ['no clicks', tallyOf([40, 3, 0], [0, 0, 0]), tallyOf([40, 3], [0, 0])],
    ['nothing but clicks', tallyOf([40, 3, 1], [40, 3, 1]), tallyOf([22, 22], [22, 22])],
    ['thinned rows', tallyOf([2.5, 7.25, 1e6], [0.5, 2, 900]), tallyOf([2.5, 1000.25], [0, 1])],
    [
      'very even exposure',
      tallyOf(Array(34).fill(300), Array(34).fill(2)),
      tallyOf(Array(50).fill(200), Array(50).fill(90)),
    ],
  ])('can be drawn with %s', (_, items, users) => {
    for (const { svg, narrow, title } of all(items, users)) {
      for (const picture of [svg, narrow, title]) expect(picture).not.toMatch(/NaN|Infinity|undefined/)
    }
  })

  it('refuses a log without impressions, saying what to do', () => {
    expect(() => all(tallyOf([0, 0], [0, 0]), users)).toThrow(/no impressions/)
  })

  it('escapes ids, so that none can break out of the picture', () => {
    const id = `</title></svg><script>alert("1&'2")</script>\u0000`
    const [rate, exposure] = all(tallyOf([40, 3], [4, 1], { ids: [id, 'b'] }), users)
    for (const { svg } of [rate!, exposure!]) {
      expect(svg).not.toContain('<script')
      expect(svg).toContain(
        '&lt;/title&gt;&lt;/svg&gt;&lt;script&gt;alert(&quot;1&amp;&#39;2&quot;)&lt;/script&gt;\ufffd',
      )
    }
  })
})

describe('click rate per item', () => {
  it('says how many items differ by more than chance, and how many would by luck', () => {
    const apart = tallyOf([1000, 1000, 1000, 1000], [100, 300, 500, 700])
    expect(clickRatePerItem(apart, { document }).title).toBe(
      '4 of 4 items differ from the overall click rate of 40.0 % by more than chance; chance alone would give about 1',
    )
    const alike = tallyOf([1000, 1000, 10], [400, 405, 3])
    expect(clickRatePerItem(alike, { document }).title).toMatch(
      /^All 3 items differ from .* 40\.2 % by no more than chance/,
    )
  })

  it('gives one item with its interval, and plain words at none and at all', () => {
    const title = (shown: number, clicks: number) =>
      clickRatePerItem(tallyOf([shown], [clicks]), { document }).title
    expect(title(40, 12)).toBe('The only item was clicked in 30 % of its 40 impressions (95 % CI 18–45 %)')
    expect(title(40, 0)).toBe('None of 40 impressions was clicked')
    expect(title(40, 40)).toBe('All 40 impressions were clicked')
  })

  it('draws items with equal counts as one dot that names them', () => {
    const { svg } = clickRatePerItem(tallyOf([5, 5, 9], [1, 1, 2], { ids: ['red', 'blue', 'green'] }), {
      document,
    })
    expect(count(svg, /<circle /g)).toBe(2)
    expect(svg).toContain('Items red, blue\n1 click in 5 impressions each')
  })

  it('leaves items never shown without a rate rather than at zero', () => {
    const { svg, table, subtitle } = clickRatePerItem(tallyOf([5, 0], [1, 0]), { document })
    expect(count(svg, /<circle /g)).toBe(1)
    expect(table.rows[1]).toEqual(['2', 0, 0, null, null, null])
    expect(subtitle).toContain('1 item never shown')
  })

  it('keeps a few wild rates from flattening all others', () => {
    const shown = [...Array(30).fill(10_000), 1, 2]
    const clicks = [...Array(30).fill(70), 1, 1]
    const { svg, subtitle } = clickRatePerItem(tallyOf(shown, clicks), { document })
    expect(subtitle).toContain('Triangles at the top: 2 items')
    expect(svg).toContain('1 click in 1 impression\nclick rate 100.0 %')
    expect(svg).toContain('>3 %</text>')
    expect(svg).not.toContain('>20 %</text>')
  })

  it('says what a click is where rewards are not 0 or 1', () => {
    const { subtitle } = clickRatePerItem(tallyOf([10, 10], [2, 3], { reward: [7.5, 12] }), { document })
    expect(subtitle).toContain('A click is a reward above 0.')
  })
})

describe('a part of the items', () => {
  const ranks = { from: 3, to: 5 }
  const few = tallyOf([10, 400, 0, 30, 20, 100], [1, 90, 0, 30, 2, 9], { ids: [...'abcdef'] })

  it('is drawn by rank, and says so', () => {
    const exposure = exposurePerItem(few, { document, catalogueKnown: true, ranks })
    expect(exposure.title).toBe('Ranks 3 to 5 of 5 shown items took 11 % of all impressions')
    expect(exposure.table.rows.map(([rank, id]) => [rank, id])).toEqual([
      [3, 'd'],
      [4, 'e'],
      [5, 'a'],
    ])
    expect(exposure.table.rows.at(-1)!.at(-1)).toBe(1)
    const rate = clickRatePerItem(few, { document, ranks })
    expect(rate.title).toMatch(/^Ranks 3 to 5 of 5 shown items: 1 of 3 items differ from .* 24 %/)
    expect(rate.table.rows.map(([id]) => id)).toEqual(['d', 'e', 'a'])
    for (const { svg } of [exposure, rate]) expect(count(svg, /<circle /g)).toBe(3)
  })

  it('keeps an item on the side of the funnel where it is among all', () => {
    const dark = (svg: string): number => count(svg, /<circle [^>]*fill-opacity="0\.7"/g)
    const whole = clickRatePerItem(few, { document })
    const parts = [1, 2, 3, 4, 5].map((rank) =>
      clickRatePerItem(few, { document, ranks: { from: rank, to: rank } }),
    )
    expect(dark(whole.svg)).toBeGreaterThan(0)
    expect(parts.reduce((total, { svg }) => total + dark(svg), 0)).toBe(dark(whole.svg))
  })

  it('can be one item, with its own rate', () => {
    expect(clickRatePerItem(few, { document, ranks: { from: 4, to: 4 } }).title).toBe(
      'Rank 4 of 5 shown items: item e was clicked in 10 % of its 20 impressions (95 % CI 3–30 %)',
    )
  })

  it('is all of them by default, in the same picture', () => {
    const all = { from: 1, to: 5 }
    expect(exposurePerItem(few, { document, catalogueKnown: true, ranks: all }).svg).toBe(
      exposurePerItem(few, { document, catalogueKnown: true }).svg,
    )
    expect(clickRatePerItem(few, { document, ranks: all }).svg).toBe(clickRatePerItem(few, { document }).svg)
  })

  it.each([
    { from: 0, to: 3 },
    { from: 4, to: 3 },
    { from: 1, to: 6 },
    { from: 1.5, to: 3 },
  ])('cannot show ranks $from to $to', (ranks) => {
    expect(() => clickRatePerItem(few, { document, ranks })).toThrow(/do not exist/)
  })
})

describe('a marked item', () => {
  it('gets a ring and its name, and only where it is shown', () => {
    const marked = (picture: string): boolean => picture.includes('>item 150</text>')
    for (const options of [{}, { ranks: { from: 1, to: 60 } }]) {
      const charts = [
        exposurePerItem(items, { document, catalogueKnown: true, highlight: '150', ...options }),
        clickRatePerItem(items, { document, highlight: '150', ...options }),
      ]
      for (const { svg, narrow } of charts)
        for (const picture of [svg, narrow]) expect(marked(picture)).toBe(true)
    }
    const elsewhere = { from: 100, to: 120 }
    expect(marked(clickRatePerItem(items, { document, highlight: '150', ranks: elsewhere }).svg)).toBe(false)
  })

  it('changes nothing where no item is called so', () => {
    expect(clickRatePerItem(items, { document, highlight: 'nobody' }).svg).toBe(
      clickRatePerItem(items, { document }).svg,
    )
  })
})

describe('very many items', () => {
  const shown = Array.from({ length: 6000 }, (_, k) => 20_000 - 3 * k)
  const many = tallyOf(
    shown,
    shown.map((impressions, k) => Math.round(impressions * (0.2 + (k % 97) / 500))),
  )

  it('share dots so that there are few, and the caption says so', () => {
    for (const { svg, caption, table } of [
      exposurePerItem(many, { document, catalogueKnown: true }),
      clickRatePerItem(many, { document }),
    ]) {
      expect(count(svg, /<circle /g)).toBeLessThanOrEqual(2000)
      expect(caption).toContain('dots would overlap')
      expect(table.rows).toHaveLength(6000)
    }
  })
})

describe('exposure per item', () => {
  const long = tallyOf([500, 300, ...Array(28).fill(5), 0, 0], Array(32).fill(0))

  it('counts items never shown where the catalogue is known, and else says that it cannot', () => {
    const known = exposurePerItem(long, { document, catalogueKnown: true })
    expect(known.subtitle).toContain('2 of 32 items in the catalogue never shown')
    const unknown = exposurePerItem(long, { document, catalogueKnown: false })
    expect(unknown.subtitle).toContain('This log does not list items never shown')
    expect(unknown.caption).toContain('30 items')
  })

  it('finds the share of the ten most shown, and how few items make up half', () => {
    const { title, subtitle, svg } = exposurePerItem(long, { document, catalogueKnown: true })
    expect(title).toBe('One of 32 items took 53 % of all impressions')
    expect(subtitle).toContain('The 10 most shown took 89 % of 940 impressions')
    expect(svg).toContain('10 most shown: 89 % of impressions')
  })

  it('says so when exposure is even', () => {
    const even = tallyOf(Array(34).fill(300), Array(34).fill(0))
    expect(exposurePerItem(even, { document, catalogueKnown: true }).title).toMatch(
      /^Exposure is nearly even: half of all impressions are spread over 17 of 34/,
    )
  })

  it('adds the shares of its table up to one', () => {
    expect(exposurePerItem(long, { document, catalogueKnown: true }).table.rows.at(-1)!.at(-1)).toBe(1)
  })
})

describe('interactions per user', () => {
  it('marks the median and the share of the most active', () => {
    const impressions = Array.from({ length: 100 }, (_, k) => 20 + k * 10)
    const { title, svg } = interactionsPerUser(tallyOf(impressions, Array(100).fill(1)), { document })
    expect(title).toBe(
      'The median user has 515 impressions; the most active 10 % of users account for 19 % of all impressions',
    )
    expect(svg).toContain('>median 515</text>')
    expect(svg).toContain('Impressions of the user (log scale)')
  })

  it('turns to clicks where every user has the same number of impressions', () => {
    const { title, table } = interactionsPerUser(tallyOf([5, 5, 5], [0, 1, 3]), { document })
    expect(title).toBe('Every user has 5 impressions; the median user clicked 1 of them')
    expect(table.rows.map((row) => row[2])).toEqual([1, 1, 0, 1, 0, 0])
    const expected = table.rows.reduce((total, row) => total + (row[4] as number), 0)
    expect(expected).toBeCloseTo(3, 4)
  })

  it('can show users of some ranks, by impressions or by clicks where those do not differ', () => {
    const ranks = { from: 1, to: 2 }
    const uneven = interactionsPerUser(tallyOf([10, 40, 20, 30], [0, 0, 0, 0]), { document, ranks })
    expect(uneven.title).toBe(
      'Ranks 1 to 2 of 4 users account for 70 % of all impressions; their median is 35',
    )
    const even = interactionsPerUser(tallyOf([5, 5, 5], [0, 1, 3]), { document, ranks })
    expect(even.title).toBe('Ranks 1 to 2 of 3 users, by clicks: the median user clicked 2 of 5 impressions')
    expect(even.subtitle).not.toContain('expected')
  })

  it('leaves out users without impressions and says how many', () => {
    const { subtitle } = interactionsPerUser(tallyOf([5, 9, 0], [1, 1, 0]), { document })
    expect(subtitle).toContain('2 users')
    expect(subtitle).toContain('1 user without impressions left out')
  })
})

/** A tally from plain lists; rewards are the clicks unless given. */
function tallyOf(
  impressions: number[],
  clicks: number[],
  options: { ids?: string[]; reward?: number[] } = {},
): Tally {
  return {
    ids: options.ids ?? impressions.map((_, k) => String(k + 1)),
    impressions: Float64Array.from(impressions),
    reward: Float64Array.from(options.reward ?? clicks),
    clicks: Float64Array.from(clicks),
  }
}
