import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { allEffects } from './effects/index.ts'
import { externalEffects, externalJobs } from './external-effects.ts'

const root = path.resolve(import.meta.dirname, '../..')
const worker = path.join(root, 'src/worker')

/** Effects beside those that send, which only write something down here. */
const local = ['end-push', 'notify-report', 'notify-severance', 'notify-sign-up', 'notify-warning']

/** What activities, mails, push messages and calls of webhooks leave by. */
const doors =
  /\/federation\/outbox\/|\/worker\/mails\/send-mail\.ts$|\/worker\/jobs\/deliver-(?:push|webhook)\.ts$/
const opens = /\bctx\.(?:mailer|push)\b/

const aliases = Object.entries(packageJson.imports).map(([name, target]) => [
  name.slice(0, -1),
  path.join(root, target.slice(0, -1)),
])

function resolve(from: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return path.resolve(path.dirname(from), specifier)
  const [name, folder] = aliases.find(([alias]) => specifier.startsWith(alias as string)) ?? []
  return name && folder ? path.join(folder, specifier.slice(name.length)) : null
}

/** The files of this program that one imports, but for their types. */
function importsOf(file: string): string[] {
  const specifiers = readFileSync(file, 'utf8').matchAll(/^import (?!type )[^'"]*?from '([^']+)'/gm)
  return [...specifiers]
    .flatMap(([, specifier]) => resolve(file, specifier as string) ?? [])
    .filter(existsSync)
}

/** Whether what is in a file may come to send something, itself or by what it calls. */
function reachesOthers(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false
  seen.add(file)
  if (doors.test(file) || (!file.includes('/src/app/') && opens.test(readFileSync(file, 'utf8')))) return true
  return importsOf(file).some((one) => reachesOthers(one, seen))
}

const filesOf = (folder: string) =>
  globSync(`${worker}/${folder}/**/*.ts`).filter((file) => !/(?:\/index|\.test)\.ts$/.test(file))

const isEffect = (value: unknown): value is { name: string } =>
  typeof value === 'object' && value !== null && 'run' in value && 'name' in value

test('every effect that sends something says so', async () => {
  const senders = filesOf('effects').filter((file) => reachesOthers(file))
  expect(senders.map((file) => path.basename(file))).toEqual(
    expect.arrayContaining([
      'deliver-status.ts',
      'mail.ts',
      'notify-of-moderation.ts',
      'push.ts',
      'webhooks.ts',
    ]),
  )
  const silent: string[] = []
  for (const file of senders) {
    const effects = Object.values((await import(file)) as Record<string, unknown>).filter(isEffect)
    for (const { name } of effects)
      if (!externalEffects.includes(name) && !local.includes(name)) silent.push(name)
  }
  expect(silent).toEqual([])
  // Names are what a job has of its effect: one name is not here and there of two kinds.
  for (const { name, hasExternalEffects } of allEffects)
    expect([name, externalEffects.includes(name)]).toEqual([name, hasExternalEffects === true])
})

test('every job that sends something is named', () => {
  const index = path.join(worker, 'jobs/index.ts')
  const senders = importsOf(index)
    .filter((file) => !file.includes('/worker/effects/') && reachesOthers(file))
    .map((file) => path.relative(path.join(root, 'src'), file))
  expect(senders.toSorted()).toEqual([
    // It compares what is true now, and says only what differs.
    'federation/inbox/synchronise.ts',
    // deliver-results
    'federation/outbox/statuses.ts',
    'worker/jobs/deliver-push.ts',
    'worker/jobs/deliver-webhook.ts',
    'worker/jobs/mail-notification.ts',
  ])
  expect(externalJobs).toEqual(['deliver-push', 'deliver-results', 'deliver-webhook', 'mail-notification'])
})
