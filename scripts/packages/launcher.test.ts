// Which program bin/stonechat runs: what was built, and the sources where they are newer.
import { cpSync, existsSync, mkdirSync, mkdtempSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isAnyNewer, projectFolder } from '#lib/project/project.ts'
import { runProcessSync } from '#test/processes/processes.ts'

/** A project with these files, by how many seconds after the first one they were written, whose Node says what it is to run. */
function createProject(files: Readonly<Record<string, number>>) {
  const root = mkdtempSync(path.join(tmpdir(), 'launcher-'))
  for (const [file, seconds] of Object.entries({ 'bin/node': 0, ...files })) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), '#!/bin/sh\nfor last; do :; done; echo "$last"\n', { mode: 0o755 })
    utimesSync(path.join(root, file), 1e9 + seconds, 1e9 + seconds)
  }
  cpSync(path.join(projectFolder, 'bin/stonechat'), path.join(root, 'bin/stonechat'))
  return {
    root,
    run: () =>
      path.relative(
        root,
        runProcessSync(path.join(root, 'bin/stonechat'), [], { encoding: 'utf8' }).stdout.trim(),
      ),
  }
}

const [source, built, lock] = ['src/cli/main.ts', 'dist/program/main.js', 'package-lock.json']

test.each([
  ['the sources, where nothing was built', { [source]: 0, [lock]: 0 }, source],
  ['what was built of them', { [source]: 0, [lock]: 0, [built]: 1 }, built],
  ['the sources, when one of them was changed', { [source]: 0, 'src/lib/a/b.ts': 2, [built]: 1 }, source],
  ['the sources, when other packages were installed', { [source]: 0, [lock]: 2, [built]: 1 }, source],
  ['what was built, where there is nothing else', { [built]: 0 }, built],
])('%s', (_, files, program) => {
  const { root, run } = createProject(files)
  expect(run()).toBe(program)
  // A rolling restart warns where this would run the sources, and it goes on with what was built.
  expect(existsSync(path.join(root, 'src')) && isAnyNewer(root)).toBe(built in files && program === source)
})

test('the sources, where what was built is of others, which are newer, and these cannot be built', () => {
  const { root, run } = createProject({ [source]: 0, [lock]: 0, 'dist/f0/main.js': 1 })
  symlinkSync('f0', path.join(root, 'dist/program'))
  const builder = 'scripts/packages/build-program.ts'
  const needed = ['package.json', 'scripts/packages/mark-sources.ts', 'src/lib/project/project.ts']
  for (const file of [builder, ...needed]) {
    cpSync(path.join(projectFolder, file), path.join(root, file))
    utimesSync(path.join(root, file), 1e9, 1e9)
  }
  expect(run()).toBe(built)
  const building = runProcessSync(process.execPath, [path.join(root, builder)], { encoding: 'utf8' })
  expect(building.stderr).toContain('the program is not built')
  expect(run()).toBe(source)
})
