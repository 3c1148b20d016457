import { expect, it } from 'vitest'
import { HindcastError } from '../../error.js'
import { refuseOther } from './head.js'

const bytesOf = (text: string, at = 0): Uint8Array =>
  Uint8Array.from({ length: at + text.length }, (_, k) => (k < at ? 1 : text.charCodeAt(k - at)))

/** Files of bytes have some that text has not. */
const binary = (text: string): Uint8Array => bytesOf(`${text}\x01`)

function refusal(name: string, head: Uint8Array): { message: string; remedy: string } {
  try {
    refuseOther(name, head)
  } catch (error) {
    return { message: (error as HindcastError).message, remedy: String((error as HindcastError).remedy) }
  }
  throw new Error(`${name} passes.`)
}

it.each([
  ['a.xlsx', bytesOf(`PK\x03\x04${'\0'.repeat(26)}[Content_Types].xml`), 'an Excel workbook', 'a.csv'],
  ['a.npz', bytesOf(`PK\x03\x04${'\0'.repeat(26)}user.npy`), 'a NumPy archive (.npz)', 'a.parquet'],
  ['a.zip', bytesOf(`PK\x03\x04${'\0'.repeat(26)}a.csv`), 'a zip archive', 'unzip -p a.zip > a.csv'],
  [
    'my log.csv.bz2',
    binary('BZh9'),
    'compressed with bzip2',
    "bunzip2 -k 'my log.csv.bz2'; then use my log.csv",
  ],
  ['a.csv.xz', bytesOf('\xFD7zXZ\0'), 'compressed with xz', 'unxz -k a.csv.xz; then use a.csv'],
  ['a.tar', bytesOf('ustar', 257), 'a tar archive', 'tar -xf a.tar'],
  ['a.db', bytesOf('SQLite format 3\0'), 'an SQLite database', 'sqlite3 -header -csv a.db'],
  ['a.feather', bytesOf('ARROW1\0\0'), 'an Arrow file (Feather)', 'a.parquet'],
  ['a.avro', bytesOf('Obj\x01'), 'an Avro file', 'fastavro'],
  ['a.orc', binary('ORC'), 'an ORC file', 'read_orc'],
  ['a.pkl', binary('\x80\x05'), 'a Python pickle', 'can run code'],
  ['a.bin', bytesOf('a\0'), 'neither text nor Parquet', 'JSON or Parquet'],
])('%s is told what it is and what to type', (name, head, is, typed) => {
  const { message, remedy } = refusal(name, head)
  expect(message).toBe(`${name} is ${is}.`)
  expect(remedy).toContain(typed)
})

it('lets text pass, whatever it begins with', () => {
  for (const text of ['ORCID,item', 'user_id\n', '%PDF,a', 'BZhash,h'])
    expect(() => refuseOther('log.csv', bytesOf(text))).not.toThrow()
})
