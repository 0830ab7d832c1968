import { expect, test, vi } from 'vitest'
import type { runProcess } from '#test/processes/processes.ts'

test('programs are run on a machine that is slower by whatever factor', async () => {
  vi.stubEnv('STONECHAT_TEST_SLOWNESS', '1.3371')
  vi.resetModules()
  try {
    const { patience, currentSlowness } = await import('#test/run/patience.ts')
    expect(patience).toBe(120_000)
    expect(currentSlowness()).toSatisfy(Number.isInteger)
    const fresh: { runProcess: typeof runProcess } = await import('#test/processes/processes.ts')
    expect((await fresh.runProcess(['true'])).code).toBe(0)
  } finally {
    vi.unstubAllEnvs()
  }
})
