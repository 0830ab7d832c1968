import path from 'node:path'
import { expect, test } from 'vitest'
import { runProcess } from '#test/processes/processes.ts'

const module = JSON.stringify(path.join(import.meta.dirname, 'end-process.ts'))

test.each([
  ['what still goes on is done', `setTimeout(() => console.log('done'), 1)`, 'done\n'],
  ['what never ends is cut off', `setInterval(() => undefined, 100)`, ''],
])('a process ends by itself: %s', async (_, left, stdout) => {
  const script = `
    import { endProcess } from ${module}
    ${left}
    endProcess(3)`
  const ended = await runProcess([process.execPath, '--input-type=module', '-e', script])
  expect(ended).toMatchObject({ code: 3, stdout })
})
