// The backups that the unit of the service manager keeps, by the very command that stands in it.
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runProcessSync } from '#test/processes/processes.ts'

const unit = path.resolve(import.meta.dirname, '../../../contrib/systemd/stonechat-backup.service')

/** The command of the unit as its shell gets it, with a program that writes the file it is told, in `folder`. */
async function commandIn(folder: string): Promise<string> {
  const [, command = ''] = /^ExecStart=\/bin\/sh -ec '(.*)'$/m.exec(await readFile(unit, 'utf8')) ?? []
  const program = path.join(folder, 'program')
  await writeFile(program, '#!/bin/sh\necho new >"$3"\n', { mode: 0o700 })
  return command
    .replaceAll('$$', '$')
    .replaceAll('%%', '%')
    .replaceAll('/usr/lib/stonechat/bin/stonechat', program)
    .replaceAll('/var/lib/stonechat', folder)
}

test.each([
  ['3', 3],
  [undefined, 7],
  ['0', 7],
  ['-1', 7],
  ['many', 7],
])('BACKUPS_TO_KEEP=%s keeps the new one and as many as that with it: %i', async (value, kept) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-backups-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const backups = path.join(folder, 'backups')
  await mkdir(backups)
  for (let day = 1; day <= 9; day += 1)
    await writeFile(path.join(backups, `stonechat-2020-0${day}.tar`), 'old')
  const env = { PATH: process.env['PATH'], ...(value !== undefined && { BACKUPS_TO_KEEP: value }) }
  runProcessSync('/bin/sh', ['-ec', await commandIn(folder)], { env })
  const left = await readdir(backups)
  expect(left).toHaveLength(kept)
  expect(left.filter((name) => !name.startsWith('stonechat-2020'))).toHaveLength(1)
})
