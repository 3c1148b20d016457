import { existsSync, readdirSync } from 'node:fs'
import { advice, set } from '../advice.js'
import { HindcastError } from '../error.js'

/** The release that the tests run on, as package.json names it. */
const WEBGPU_PACKAGE = 'webgpu@0.6.2'

let found: Promise<GPU> | undefined

/**
 * WebGPU in Node, from the package `webgpu`, which users install where they want it; loaded on first use. There is one for
 * the whole process: what it creates must not outlive it, so it is never released.
 */
export function nodeGpu(): Promise<GPU> {
  found ??= load().catch((error: unknown) => {
    // What was missing may be there the next time.
    found = undefined
    throw error
  })
  return found
}

async function load(): Promise<GPU> {
  let dawn: typeof import('webgpu')
  try {
    dawn = await import('webgpu')
  } catch (cause) {
    throw new HindcastError(
      'no-device',
      'Training on a GPU needs the package webgpu, which is not installed or does not support this system.',
      {
        remedy: advice`Install it with npm install ${WEBGPU_PACKAGE}, or train on the CPU with ${set('backend', 'wasm')}.`,
        cause,
      },
    )
  }
  return dawn.create([])
}

/**
 * Whether the system appears to have a GPU: cheap and silent, unlike asking a driver. Only Linux can be checked
 * this way; elsewhere a GPU is assumed.
 */
export function mayHaveGpu(): boolean {
  if (process.platform !== 'linux') return true
  if (existsSync('/dev/nvidiactl') || existsSync('/dev/dxg')) return true
  return existsSync('/dev/dri') && readdirSync('/dev/dri').some((name) => name.startsWith('renderD'))
}
