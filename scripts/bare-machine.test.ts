import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runProcessSync } from '#test/processes/processes.ts'

test('without what it needs it says so, and fails in continuous integration alone', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-programs-'))
  try {
    for (const program of ['bash', 'dirname', 'uname']) {
      await symlink(path.join('/usr/bin', program), path.join(folder, program))
    }
    const run = (env: NodeJS.ProcessEnv) =>
      runProcessSync('/usr/bin/env', ['bash', path.join(import.meta.dirname, 'bare-machine.sh')], {
        env: { PATH: folder, ...env },
        encoding: 'utf8',
      })
    const reason = /^bare machines: skipped, (this is not Linux|it wants root|debootstrap is missing)\n$/
    const atHome = run({})
    expect(atHome.stderr).toMatch(reason)
    expect(atHome.status).toBe(0)
    const integration = run({ CI: 'true' })
    expect(integration.stderr).toMatch(reason)
    expect(integration.status).toBe(1)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
