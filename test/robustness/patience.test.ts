import { expect, test } from 'vitest'
import { runProcess } from '#test/processes/processes.ts'
import { cleanEnv, projectRoot } from '#test/processes/server-process.ts'

const asked = `
  import { patience, currentSlowness } from '#test/run/patience.ts'
  import { runProcess } from '#test/processes/processes.ts'
  const { code } = await runProcess(['true'])
  console.log(JSON.stringify({ patience, isWhole: Number.isInteger(currentSlowness()), code }))`

test('programs are run on a machine that is slower by whatever factor', async () => {
  const env = cleanEnv({ STONECHAT_TEST_SLOWNESS: '1.3371' })
  const { stdout } = await runProcess([process.execPath, '--input-type=module', '-e', asked], {
    env,
    cwd: projectRoot,
  })
  expect(JSON.parse(stdout)).toEqual({ patience: 120_000, isWhole: true, code: 0 })
})
