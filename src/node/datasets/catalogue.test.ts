import { describe, expect, it } from 'vitest'
import { HindcastError } from '../../error.js'
import { archiveName, datasetNamed, datasets } from './catalogue.js'

describe('the catalogue', () => {
  it('names every data set once, with its licence, its page and the https address of a zip', () => {
    expect(new Set(datasets.map(({ name }) => name)).size).toBe(datasets.length)
    for (const dataset of datasets) {
      expect(dataset.licence).toMatch(/Cite/)
      expect(dataset.address).toMatch(/^https:\/\/.+\.zip$/)
      expect(dataset.page).toMatch(/^https:\/\//)
      expect(dataset.folders[0]).toBe(dataset.name)
      expect(dataset.markers.length).toBeGreaterThan(0)
    }
  })

  it('holds checksums of the length their algorithm gives', () => {
    const sums = datasets.flatMap(({ checksum, contents }) => [
      ...(checksum.kind === 'known' ? [checksum] : []),
      ...contents,
    ])
    expect(sums.length).toBeGreaterThan(0)
    for (const { algorithm, sum } of sums)
      expect(sum).toMatch(algorithm === 'md5' ? /^[0-9a-f]{32}$/ : /^[0-9a-f]{64}$/)
  })

  it('suggests the name that was meant', () => {
    const failure = (() => {
      try {
        return datasetNamed('ml-100')
      } catch (error) {
        return error as HindcastError
      }
    })()
    expect(failure).toBeInstanceOf(HindcastError)
    expect(failure).toMatchObject({
      code: 'unknown-name',
      remedy: expect.stringContaining('Did you mean ml-100k?'),
    })
  })

  it('knows the archive by the last part of its address', () => {
    expect(archiveName(datasetNamed('open-bandit'))).toBe('open_bandit_dataset.zip')
  })
})
