import { existsSync, readdirSync } from 'node:fs'
import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'

let found: Promise<GPU> | undefined

/**
 * WebGPU in Node, by the optional package `webgpu`; loaded when it is first asked for. One for the whole process:
 * what it makes may not outlive it, so it is never given back.
 */
export function nodeGpu(): Promise<GPU> {
  found ??= load()
  return found
}

async function load(): Promise<GPU> {
  let dawn: typeof import('webgpu')
  try {
    dawn = await import('webgpu')
  } catch (cause) {
    throw new HindcastError('no-device', 'The package webgpu is not installed, or not for this system.', {
      remedy: advice`Install it beside hindcast (npm install webgpu), or train on the processor with ${set('backend', 'wasm')}.`,
      cause,
    })
  }
  return dawn.create([])
}

/**
 * Whether the system shows a graphics processor at all: cheap, and silent, where asking a driver is neither. Only
 * Linux tells; elsewhere it is taken for granted.
 */
export function mayHaveGpu(): boolean {
  if (process.platform !== 'linux') return true
  if (existsSync('/dev/nvidiactl') || existsSync('/dev/dxg')) return true
  return existsSync('/dev/dri') && readdirSync('/dev/dri').some((name) => name.startsWith('renderD'))
}
