import { appendFileSync, readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
const cpu = () => { const f = readFileSync('/proc/self/stat','utf8').split(') ')[1]!.split(' ').map(Number); return [(f[11]!+f[12]!)/100,(f[13]!+f[14]!)/100] }
const start = cpu(); let b = start
let first = true
beforeEach(() => { b = cpu(); if (first) { first=false; appendFileSync('/tmp/cpu.ndjson', JSON.stringify({kind:'import', f: expect.getState().testPath, s: b[0]!-start[0]!, c: b[1]!-start[1]!})+'\n') } })
afterEach(() => { const a = cpu(); appendFileSync('/tmp/cpu.ndjson', JSON.stringify({kind:'test', f: expect.getState().testPath, n: expect.getState().currentTestName, s: a[0]!-b[0]!, c: a[1]!-b[1]!})+'\n') })
let path: string
beforeEach(() => { path = expect.getState().testPath! })
afterAll(() => { const a = cpu(); appendFileSync('/tmp/cpu.ndjson', JSON.stringify({kind:'file', f: path, s: a[0]!-start[0]!, c: a[1]!-start[1]!, pid: process.pid, t: Date.now()})+'\n') })
