// What documents tell people to type or to write into a file is what programs take: of each example it is known what
// runs it, and a new one that nothing runs fails here.
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkVariables } from '#app/doctor/variables.ts'
import { readInput, UsageError, type Command } from '#cli/kit/command.ts'
import { loadEntries } from '#cli/main.ts'
import { loadConfig } from '#config/config.ts'
import { runProcessSync } from '#test/processes/processes.ts'
import { checkNginx, proxyMissing, writeNginx } from '#test/servers/proxies.ts'
import { commandsOf, listExamples, listMentions, ownCommandIn, root, settingsOf } from './examples.ts'
import { coveredCommands, coveredLines, coveredTexts } from './covered-by.ts'

const examples = listExamples()
const shell = examples.filter(({ language }) => language === 'sh')
const lines = shell.flatMap(({ place, code }) => commandsOf(code).map((line) => ({ place, line })))

/** Throws UsageError where the program would. `isWhole`: nothing that it wants may be missing. */
async function parse(words: readonly string[], { isWhole = true } = {}): Promise<void> {
  const entries = await loadEntries()
  const [first = '', second = '', ...rest] = words
  const entry = entries[first]
  if (entry === undefined) {
    if (first.startsWith('--') || first === 'COMMAND') return
    throw new UsageError(`there is no command ${first}`)
  }
  if (!('run' in entry) && second === '' && !isWhole) return
  const command: Command | undefined = 'run' in entry ? entry : entry.commands[second]
  if (command === undefined) throw new UsageError(`there is no command ${first} ${second}`)
  const args = 'run' in entry ? words.slice(1) : rest
  const open = isWhole ? command : { ...command, args: (command.args ?? []).map((name) => `[${name}]`) }
  if (args.includes('--help')) return
  readInput(open, args, {})
}

const problemOf = (work: Promise<void>) =>
  work.then(
    () => null,
    (error: Error) => error.message,
  )

test('the program takes each of its commands in an example, and those in the text', async () => {
  const wrong: string[] = []
  const note = (place: string, text: string, problem: string | null) =>
    problem !== null && wrong.push(`${place}: ${text}: ${problem}`)
  const own = lines.flatMap(({ place, line }) => {
    const found = ownCommandIn(line)
    return found ? [{ place, line, ...found }] : []
  })
  expect(own.length).toBeGreaterThan(50)
  for (const { place, line, words, env } of own) {
    note(place, line, await problemOf(parse(words)))
    if (words[0] === 'serve') loadConfig(env)
  }
  for (const { place, command } of listMentions()) {
    const words = ownCommandIn(command)?.words ?? []
    // An option without its value is one that is spoken of.
    const isBare = words.at(-1)?.startsWith('--') === true
    const whole = isBare ? [...words, 'VALUE'] : words
    const problems = [
      await problemOf(parse(words, { isWhole: false })),
      await problemOf(parse(whole, { isWhole: false })),
    ]
    note(place, command, problems.includes(null) ? null : (problems[0] ?? null))
  }
  expect(wrong).toEqual([])
})

test('settings of an example can be set together, and each of them counts', () => {
  const groups = examples.filter(
    ({ language, code }) =>
      ['sh', ''].includes(language) && commandsOf(code).some((line) => settingsOf(line) !== null),
  )
  expect(groups.length).toBeGreaterThan(10)
  for (const { place, code } of groups) {
    const set = Object.assign({}, ...commandsOf(code).map((line) => settingsOf(line) ?? {})) as Record<
      string,
      string
    >
    // Of whoever tries things by hand.
    delete set['CHAT']
    const env = Object.fromEntries(
      Object.entries(set).map(([name, value]) => [name, value.replace('…', 'secret')]),
    )
    // Replicas are of an outside database.
    if ('REPLICA_DATABASE_URL' in env) env['DATABASE_URL'] = 'postgres://stonechat@127.0.0.1/stonechat'
    const config = loadConfig(env)
    expect([place, checkVariables(env, config).filter(({ state }) => state !== 'ok')]).toEqual([place, []])
  }
})

test('of each example it is known what runs it', () => {
  const unknown = [
    ...lines
      .filter(({ line }) => settingsOf(line) === null && ownCommandIn(line) === null)
      .filter(({ line }) => !coveredLines.some(({ what }) => what.test(line)))
      .map(({ place, line }) => `${place}: ${line}`),
    ...examples
      .filter(
        ({ language, code }) => !['sh', 'nginx', 'caddy', 'yaml'].includes(language) && !isChecked(code),
      )
      .filter(({ code }) => !coveredTexts.some(({ what }) => what.test(code)))
      .map(({ place, code }) => `${place}: ${code.split('\n')[0]}`),
  ]
  expect(unknown).toEqual([])
})

test.each([
  [
    'commands of ours',
    coveredCommands,
    lines.flatMap(({ line }) => ownCommandIn(line)?.words.join(' ') ?? []),
  ],
  ['lines of the shell', coveredLines, lines.map(({ line }) => line)],
  ['other examples', coveredTexts, examples.map(({ code }) => code)],
])('what is said to run %s elsewhere does so, and there is something to run', (_, entries, all) => {
  for (const { what, file, mark, reason } of entries) {
    expect([what, all.some((one) => what.test(one))]).toEqual([what, true])
    const text =
      file !== undefined && existsSync(path.join(root, file)) && readFileSync(path.join(root, file), 'utf8')
    expect([what, reason !== undefined || (text && text.includes(mark ?? '…'))]).toEqual([what, true])
  }
})

const isCaddy = (code: string) => /^[\w.$]+ \{\n\t/.test(code)
const isUnit = (code: string) => code.startsWith('[Service]')
/** What is no configuration, but settings in a fence without a language. */
const isSettings = (code: string) => commandsOf(code).every((line) => settingsOf(line) !== null)
const isChecked = (code: string) => isCaddy(code) || isUnit(code) || isSettings(code)

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-examples-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const caddyMissing = proxyMissing('caddy')
const nginxMissing = proxyMissing('nginx')

describe('examples that programs load', () => {
  test.skipIf(caddyMissing !== null)('Caddy takes those for Caddy as they are', async () => {
    const folder = await temporaryFolder()
    const all = examples.filter(({ code }) => isCaddy(code))
    const shipped = {
      place: 'contrib/compose/Caddyfile',
      code: readFileSync(path.join(root, 'contrib/compose/Caddyfile'), 'utf8'),
    }
    expect(all.length).toBeGreaterThan(2)
    for (const { place, code } of [...all, shipped]) {
      const file = path.join(folder, 'Caddyfile')
      await writeFile(file, code)
      const { status, stderr } = runProcessSync(
        'caddy',
        ['adapt', '--adapter', 'caddyfile', '--config', file],
        {
          encoding: 'utf8',
          env: { ...process.env, LOCAL_DOMAIN: 'chat.example.org', HOME: folder },
        },
      )
      expect([place, status, /error|warn/i.test(stderr)]).toEqual([place, 0, false])
    }
  })

  test.skipIf(nginxMissing !== null)('nginx takes those for nginx', async () => {
    const folder = await temporaryFolder()
    const all = examples.filter(({ language }) => language === 'nginx')
    expect(all.length).toBeGreaterThan(3)
    for (const { place, code } of all) {
      const whole = code.includes('server {') ? code : `server {\n${code}}\n`
      const here = whole
        .replace('/var/cache/nginx/media', folder)
        .replace('https://chat-media.s3.example.net/', 'https://127.0.0.1/')
      const { status, said } = checkNginx(await writeNginx(here, folder, { 443: 443 }))
      expect([place, status, said]).toEqual([place, 0, expect.not.stringMatching(/emerg|unknown directive/)])
    }
  })

  const promtool = '/usr/bin/promtool'
  test.skipIf(!existsSync(promtool) && process.env['CI'] !== 'true')(
    'Prometheus takes its configuration',
    async () => {
      const folder = await temporaryFolder()
      const all = examples.filter(({ language }) => language === 'yaml')
      expect(all).toHaveLength(1)
      await writeFile(
        path.join(folder, 'stonechat.rules.yml'),
        readFileSync(path.join(root, 'contrib/prometheus/stonechat.rules.yml')),
      )
      await writeFile(path.join(folder, 'prometheus.yml'), all[0]?.code ?? '')
      const { status, stdout } = runProcessSync(
        promtool,
        ['check', 'config', path.join(folder, 'prometheus.yml')],
        {
          encoding: 'utf8',
        },
      )
      expect([status, stdout]).toEqual([0, expect.stringMatching(/SUCCESS: \d+ rules found/)])
    },
  )

  const analyzer = runProcessSync('systemd-analyze', ['--version']).status === 0
  test.skipIf(!analyzer)('systemd takes our units, with what an example changes in them', async () => {
    const folder = await temporaryFolder()
    const units = [
      'stonechat.service',
      'stonechat.socket',
      'stonechat-backup.service',
      'stonechat-backup.timer',
      'stonechat-doctor.service',
      'stonechat-doctor.timer',
    ]
    const changes = examples.filter(({ code }) => isUnit(code))
    expect(changes).toHaveLength(1)
    for (const unit of units) {
      const text = readFileSync(path.join(root, 'contrib/systemd', unit), 'utf8')
      // The later one counts, as in a drop-in; and the program need not be there.
      const whole = unit === 'stonechat.service' ? `${text}\n${changes[0]?.code}` : text
      await writeFile(path.join(folder, unit), whole.replaceAll(/(Exec\w+=[-+!]?)\/\S+/g, '$1/bin/true'))
    }
    const { status, stderr } = runProcessSync(
      'systemd-analyze',
      ['verify', '--man=no', '--recursive-errors=no', ...units.map((unit) => path.join(folder, unit))],
      { encoding: 'utf8' },
    )
    const ours = stderr
      .split('\n')
      .filter((line) => line.includes('stonechat') && !/User .* not found/.test(line))
    expect([status, ours]).toEqual([0, []])
  })
})
