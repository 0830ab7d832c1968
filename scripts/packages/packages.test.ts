// What packages are made of, as far as it can be seen without building them: scripts/deb.sh and container.sh do that.
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { loadEntries } from '#cli/main.ts'
import { variableNames } from '#config/env.ts'
import { runProcessSync } from '#test/processes/processes.ts'
import { renderBash, renderManual, renderZsh } from './describe.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const units = globSync('contrib/systemd/*.service', { cwd: root })
const analyzer = runProcessSync('systemd-analyze', ['--version'], {}).status === 0

test.skipIf(!analyzer).each(units)('%s is exposed to less than 2.5 of 10', (unit) => {
  const { stdout } = runProcessSync(
    'systemd-analyze',
    ['security', '--offline=true', path.join(root, unit)],
    {
      encoding: 'utf8',
    },
  )
  expect(Number(/exposure level for .*: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(2.5)
})

test('the unit and its socket, the environment and the compose files name only variables that there are', () => {
  const known = new Set<string>([...variableNames, 'BACKUPS_TO_KEEP'])
  const others = new Set([
    'NODE_ENV',
    'NODE_COMPILE_CACHE',
    'POSTGRES_USER',
    'POSTGRES_DB',
    'POSTGRES_PASSWORD',
    'HOME',
  ])
  const named = [
    ...read('contrib/debian/environment').matchAll(/^#?([A-Z_]+)=/gm),
    ...read('compose.yaml').matchAll(/^ +([A-Z_]+): /gm),
    ...read('compose.several.yaml').matchAll(/^ +([A-Z_]+): /gm),
    ...read('contrib/systemd/stonechat.service').matchAll(/(?<=^Environment=.*)\b([A-Z_]+)=/gm),
  ].map(([, name]) => name as string)
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((name) => !known.has(name) && !others.has(name))).toEqual([])
})

test('what the image is made of is there, and not left out of what the builder gets', () => {
  const given = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, name]) => name as string)
  const sources = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files]) =>
    (files as string).split(' '),
  )
  expect(sources.length).toBeGreaterThan(5)
  for (const source of sources) {
    expect([source, existsSync(path.join(root, source))]).toEqual([source, true])
    expect([source, given.some((name) => source === name || source.startsWith(`${name}/`))]).toEqual([
      source,
      true,
    ])
  }
})

test('the manual page and the completions know every command and option', async () => {
  const entries = await loadEntries()
  const texts = [
    renderManual(entries, '1.0.0').replaceAll('\\-', '-'),
    renderBash(entries),
    renderZsh(entries),
  ]
  for (const text of texts)
    for (const [name, entry] of Object.entries(entries)) {
      const commands = 'commands' in entry ? Object.entries(entry.commands) : [[name, entry] as const]
      for (const [command, { options }] of commands)
        for (const word of [name, command, ...Object.keys(options ?? {}).map((option) => `--${option}`)])
          expect(text).toContain(word)
    }
})

test('bash completes commands, subcommands and options', async () => {
  const script = renderBash(await loadEntries())
  const complete = (...words: string[]) => {
    const line = `COMP_WORDS=(stonechat ${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length}`
    const { stdout } = runProcessSync(
      'bash',
      ['-c', `${script}\n${line}\n_stonechat\necho "\${COMPREPLY[@]}"`],
      {
        encoding: 'utf8',
      },
    )
    return stdout.trim()
  }
  expect(complete('accou')).toBe('accounts')
  expect(complete('accounts', 'cre')).toBe('create')
  expect(complete('accounts', 'create', '--em')).toBe('--email')
  expect(complete('serve', '--ro')).toBe('--roles')
})
