import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { makeBuffers, readBack, USAGE } from './device-memory.js'
import { softwareDevice, withoutSoftwareGpu } from './example-gpu.js'
import { SHAPE_FIELDS } from './layout.js'
import { compilerOf, dispatchOf, ENTRANCE } from './shader.js'
import { STEP_SIZE } from './step-block.js'

vi.setConfig({ testTimeout: 120_000 })

describe('dispatchOf', () => {
  it('sends enough workgroups, no row of them too long, and hardly any too many', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (workgroups) => {
        const [x, y] = dispatchOf(workgroups)
        expect(Math.max(x, y)).toBeLessThanOrEqual(65_535)
        expect(x * y).toBeGreaterThanOrEqual(workgroups)
        expect(x * y - workgroups).toBeLessThan(y)
      }),
    )
  })
})

describe.skipIf(withoutSoftwareGpu)('a program', () => {
  it('numbers its workgroups across rows, and is compiled once for a device', async () => {
    const device = await softwareDevice()
    const compiler = compilerOf(device)
    const shader = {
      name: 'numbers',
      buffers: { marks: 'read_write' },
      code: `${ENTRANCE} if (thread == 0u && group < arrayLength(&marks)) { marks[group] = group + 1u; } }`,
    } as const
    const program = await compiler.compile(shader)
    expect(await compilerOf(device).compile({ ...shader })).toBe(program)

    const workgroups = 65_601
    const { marks } = await makeBuffers({ device, name: 'test' }, { marks: 4 * workgroups })
    const { steps, shape } = await makeBuffers(
      { device, name: 'test' },
      { steps: STEP_SIZE, shape: 4 * SHAPE_FIELDS.length },
      USAGE.uniform,
    )
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginComputePass()
    pass.setPipeline(program.pipeline)
    pass.setBindGroup(
      0,
      device.createBindGroup({
        layout: compiler.uniforms,
        entries: [steps, shape].map((buffer, binding) => ({ binding, resource: { buffer } })),
      }),
      [0],
    )
    pass.setBindGroup(1, program.bind({ marks }))
    pass.dispatchWorkgroups(...dispatchOf(workgroups))
    pass.end()
    device.queue.submit([encoder.finish()])
    const seen = new Uint32Array(await readBack(device, marks, 4 * workgroups).bytes())
    expect(seen).toEqual(Uint32Array.from({ length: workgroups }, (_, k) => k + 1))
    for (const buffer of [marks, steps, shape]) buffer.destroy()
  })
})
