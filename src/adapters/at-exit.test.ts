import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { until } from '#test/run/patience.ts'
import { runProcess } from '#test/processes/processes.ts'
import { processesOf } from '#test/processes/run-folder.ts'

test.each([
  ['process.exit', 'process.exit(3)', 3],
  ['an uncaught error', 'throw new Error("nobody foresaw that")', 1],
])('a conversion ends with the process that asked for it, by %s', async (_, end, code) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'at-exit-'))
  try {
    const script = `
      import { createFfmpeg } from ${JSON.stringify(path.join(import.meta.dirname, 'media/ffmpeg/ffmpeg.ts'))}
      const log = { debug() {}, info() {}, warn() {}, error() {} }
      const sleep = '/bin/sleep'
      const run = { program: 'ffmpeg', args: ['3600'], folder: ${JSON.stringify(folder)}, deadline: 3600_000 }
      createFfmpeg({ ffmpeg: sleep, ffprobe: sleep }, { log }).run(run).catch(() => {})
      setTimeout(() => { console.log('ending'); ${end} })`
    const ended = await runProcess([process.execPath, '--input-type=module', '-e', script])
    expect(ended).toMatchObject({ code, stdout: 'ending\n' })
    await until(
      () => processesOf(folder).length === 0,
      () => `the end of ${JSON.stringify(processesOf(folder))}`,
    )
  } finally {
    await rm(folder, { recursive: true })
  }
})
