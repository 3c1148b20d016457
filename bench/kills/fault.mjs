// Loaded before the command line (node --import): at the k-th change that the process makes under a folder, it is killed,
// or that change and those after it fail. HINDCAST_FAULT says which fault, when and where.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { devNull } from 'node:os'
import { resolve, sep } from 'node:path'

const { kind, at, under } = JSON.parse(process.env.HINDCAST_FAULT)
const watched = new WeakSet()
let changes = 0
let isFailing = false

const isUnder = (path) => `${resolve(String(path))}${sep}`.startsWith(`${under}${sep}`)

/** What a full disk refuses is what adds to it; a disk that can only be read refuses every change. */
function strike(adds) {
  changes++
  if (changes >= at) {
    // Once: a second signal asks to end at once, without a word.
    if (kind.startsWith('SIG') && changes === at) process.kill(process.pid, kind)
    isFailing = true
  }
  if (isFailing && !kind.startsWith('SIG') && (adds || kind === 'EROFS'))
    throw Object.assign(new Error(`${kind}: injected`), { code: kind })
}

/** Puts a strike before each call of a function that changes what is under the folder. */
function guard(owner, name, adds, pathOf = (path) => path) {
  const plain = owner[name]
  owner[name] = function (...parts) {
    if (isUnder(pathOf(...parts))) {
      try {
        strike(adds)
      } catch (error) {
        if (owner === fs.promises) return Promise.reject(error)
        throw error
      }
    }
    return plain.apply(this, parts)
  }
}

const changesPath = (flags) => typeof flags === 'string' && /[wa+]/.test(flags)

const { open } = fs.promises
fs.promises.open = async (path, flags, ...more) => {
  const isWatched = isUnder(path) && changesPath(flags)
  if (isWatched) strike(true)
  const file = await open(path, flags, ...more)
  if (isWatched) watched.add(file)
  return file
}
for (const name of ['rename', 'copyFile', 'link', 'symlink'])
  guard(fs.promises, name, false, (_from, to) => to)
for (const name of ['mkdir', 'writeFile', 'appendFile']) guard(fs.promises, name, true)
for (const name of ['rm', 'unlink', 'rmdir']) guard(fs.promises, name, false)
for (const name of ['renameSync', 'copyFileSync', 'linkSync']) guard(fs, name, false, (_from, to) => to)
for (const name of ['mkdirSync', 'writeFileSync', 'appendFileSync']) guard(fs, name, true)

const handle = await open(devNull, 'r')
const FileHandle = Object.getPrototypeOf(handle)
await handle.close()
const { write } = FileHandle
for (const name of ['write', 'writeFile', 'appendFile']) {
  const plain = FileHandle[name]
  FileHandle[name] = async function (data, ...more) {
    if (!watched.has(this)) return plain.call(this, data, ...more)
    const bytes = Buffer.from(data)
    // Half of it is written when the fault strikes: the worst moment.
    if (changes + 1 === at) await write.call(this, bytes.subarray(0, bytes.length >> 1))
    strike(true)
    return plain.call(this, data, ...more)
  }
}
for (const name of ['sync', 'datasync', 'truncate']) {
  const plain = FileHandle[name]
  FileHandle[name] = async function (...parts) {
    if (watched.has(this)) strike(true)
    return plain.apply(this, parts)
  }
}
syncBuiltinESMExports()

if (kind === 'none') process.on('exit', () => fs.writeSync(2, `\nchanges: ${changes}\n`))
