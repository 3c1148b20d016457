import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { nodeGpu } from '../../node/webgpu-device.js'
import { openDevice, requireAdapter } from './adapter.js'

/** Where Chromium puts SwiftShader, a GPU made of software, and the loader that finds it. */
const FOLDERS = ['/usr/lib/chromium', '/usr/lib/chromium-browser', '/opt/google/chrome']
const DRIVER = 'vk_swiftshader_icd.json'
const LOADER = 'libvulkan.so.1'
/** RTLD_NODELETE: the loader stays although it is no module of Node. */
const STAYS = 0x1000

const folder = FOLDERS.find((one) => existsSync(join(one, DRIVER)))

/** Why tests of WebGPU are skipped, where they are. */
export const withoutSoftwareGpu =
  process.platform === 'linux' && folder !== undefined
    ? undefined
    : 'no SwiftShader was found beside a Chromium'

/** What makes SwiftShader the GPU of another process. */
export const softwareEnvironment = (): Record<string, string> => ({
  VK_ICD_FILENAMES: join(folder!, DRIVER),
  LD_LIBRARY_PATH: folder!,
})

/** SwiftShader as the GPU of this process: slow, the same everywhere. */
export async function softwareGpu(): Promise<GPU> {
  process.env['VK_ICD_FILENAMES'] = join(folder!, DRIVER)
  const loader = join(folder!, LOADER)
  if (existsSync(loader))
    try {
      // Where the system has no loader of its own, Dawn takes the one that is there already.
      process.dlopen({ exports: {} }, loader, STAYS | constants.dlopen.RTLD_NOW)
    } catch {
      // It is loaded; that it is no module of Node is no surprise.
    }
  return nodeGpu()
}

let opened: Promise<GPUDevice> | undefined

/** A device of SwiftShader that the tests of a file share, so that shaders are compiled once. */
export function softwareDevice(): Promise<GPUDevice> {
  opened ??= softwareGpu().then(async (gpu) => openDevice(await requireAdapter(gpu)))
  return opened
}
