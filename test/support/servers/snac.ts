// snac, Debian's small ActivityPub server in C, on loopback: a foreign server to speak with.
// It is driven as its people drive it: by its command line, its forms and what it has of the Mastodon API.
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type { Json } from '#test/client/client.ts'
import { freePort } from '#test/processes/free-port.ts'
import { runProcess, runProcessSync, startProcess } from '#test/processes/processes.ts'

const hasSnac = runProcessSync('snac', []).error === undefined

/** Why tests with snac cannot run here; null when they can. Continuous integration must have it. */
export const snacMissing = hasSnac || process.env['CI'] === 'true' ? null : 'snac is not installed'

export interface SnacNote {
  /** `direct` reaches only whom it mentions. Followers-only is not made by snac. */
  visibility?: 'public' | 'unlisted' | 'direct'
  /** The id of the post that is answered, as an URL. Its author is mentioned. */
  replyTo?: string
  summary?: string
  media?: { bytes: Buffer; name: string; description: string }
}

export interface SnacUser {
  readonly name: string
  /** `name@127.0.0.x:PORT` */
  readonly handle: string
  readonly uri: string
  /** Publishes and answers the id, as an URL. */
  note(text: string, options?: SnacNote): Promise<string>
  /** Publishes for one account alone without mentioning it: ActivityPub allows it, Mastodon never does it. */
  whisper(actor: string, text: string): Promise<void>
  poll(text: string, options: readonly string[]): Promise<string>
  edit(uri: string, text: string): Promise<void>
  /** Presses a button of the web pages on a post, found by its id, or on an account. */
  press(action: SnacAction, on: { id?: string; actor?: string }): Promise<void>
  vote(uri: string, author: string, choice: string): Promise<void>
  /** The form of the account's settings. Boxes that are not named are unticked. */
  setUp(fields: Record<string, string>): Promise<void>
  /** A command of the command line that takes a user, such as `follow` or `migrate`. */
  run(command: string, ...words: string[]): Promise<string>
  timeline(): Promise<Json[]>
  notifications(): Promise<Json[]>
  /** A post that has come here, as its Mastodon API shows it; null when it has none. */
  status(uri: string): Promise<Json>
  relationship(actor: string): Promise<Json>
  /** Whether the follow of an account was accepted by it. */
  isFollowAccepted(actor: string): Promise<boolean>
  /** Accounts that wait to be approved as followers. */
  followRequests(): Promise<string[]>
}

export type SnacAction =
  | 'Like'
  | 'Unlike'
  | 'Boost'
  | 'Unboost'
  | 'Delete'
  | 'Follow'
  | 'Unfollow'
  | 'MUTE'
  | 'Unmute'
  | 'Approve'
  | 'Discard'

export interface Snac {
  /** `127.0.0.x:PORT` */
  readonly host: string
  readonly url: string
  /** What it said so far, for people who look for the cause of a failure. */
  readonly log: string[]
  user(name: string): Promise<SnacUser>
  /** Waits until it has nothing to do now. It looks at its queues every three seconds. */
  settle(): Promise<void>
  stop(): Promise<void>
}

/** Starts a server of its own on an address in 127.0.0.0/8, with an empty folder. */
export async function startSnac(address: string): Promise<Snac> {
  if (!hasSnac) throw new Error('snac is not installed')
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-snac-'))
  const data = path.join(folder, 'data')
  const host = `${address}:${await freePort(address)}`
  await initialize(data, host)
  const log: string[] = []
  const child = await startDaemon(data, log)
  return {
    host,
    url: `http://${host}`,
    log,
    user: (name) => addUser({ data, host }, name),
    settle: () => waitUntilIdle({ data, host }, child),
    async stop() {
      if (child.exitCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Place {
  data: string
  host: string
}

/** Runs the program to its end. Throws unless it ends well. */
async function command(words: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await runProcess(['snac', ...words], { input })
  if (code !== 0) throw new Error(`snac ${words.join(' ')} ended with ${code}: ${stderr}`)
  return stdout
}

async function initialize(data: string, host: string): Promise<void> {
  // Asked for: address, port, host name, prefix, mail address.
  await command(['init', data], `${host.replace(':', '\n')}\n${host}\n\n\n`)
  const file = path.join(data, 'server.json')
  const settings = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
  await writeFile(file, JSON.stringify({ ...settings, protocol: 'http' }))
}

async function startDaemon(data: string, log: string[]): Promise<ChildProcess> {
  const child = startProcess('snac', ['httpd', data], {
    env: { ...process.env, DEBUG: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`snac ended:\n${log.join('\n')}`)))
    createInterface(child.stderr!).on('line', (line) => {
      log.push(line)
      if (line.includes('background thread started')) resolve()
    })
  })
  return child
}

/** Nothing due in the queues, and no thread at work. */
async function waitUntilIdle({ data, host }: Place, child: ChildProcess): Promise<void> {
  for (let quiet = 0; quiet < 2;) {
    if (child.exitCode !== null) throw new Error('snac has ended')
    quiet = (await hasDueWork({ data, host })) || (await isBusy(data)) ? 0 : quiet + 1
    await delay(20)
  }
}

/** The queues are folders of files named after the time at which they are due. */
async function hasDueWork({ data, host }: Place): Promise<boolean> {
  const users = await readdir(path.join(data, 'user'))
  const queues = ['queue', ...users.map((name) => `user/${name}/queue`)]
  const listed = queues.map(async (queue) =>
    (await readdir(path.join(data, queue))).map((name) => ({ name, file: path.join(data, queue, name) })),
  )
  const due = (await Promise.all(listed))
    .flat()
    .filter(({ name }) => name.endsWith('.json') && Number.parseFloat(name) * 1000 <= Date.now())
  const texts = await Promise.all(due.map(({ file }) => readFile(file, 'utf8').catch(() => null)))
  return texts.some((text) => text !== null && !isEcho(text, host))
}

/** It sends what it says to itself too, and drops it three seconds later: nobody needs to wait for that. */
function isEcho(text: string, host: string): boolean {
  const item = JSON.parse(text) as { type?: string; message?: { actor?: string } }
  return item.type === 'input' && item.message?.actor?.startsWith(`http://${host}/`) === true
}

async function isBusy(data: string): Promise<boolean> {
  const state = await command(['state', data])
  return !state.includes('(cur): 0') || /state: (?!waiting)/.test(state)
}

async function addUser({ data, host }: Place, name: string): Promise<SnacUser> {
  const password = /password is (\S+)/.exec(await command(['adduser', data, name]))?.[1] as string
  const base = `http://${host}`
  const uri = `${base}/${name}`
  const signIn = new URLSearchParams({ login: name, passwd: password })
  const signedIn = await ask(`${base}/oauth/x-snac-get-token`, { method: 'POST', body: signIn })
  const api = createApi(base, await signedIn.text())
  const basic = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
  const form = (page: string, fields: Record<string, string>) => submit(`${uri}/admin/${page}`, basic, fields)
  const ownFiles = (kind: string) => path.join(data, 'user', name, kind)
  return {
    name,
    handle: `${name}@${host}`,
    uri,
    note: (text, options) => postNote(api, text, options),
    whisper: (actor, text) => form('note', { content: text, to: actor, mentioned_only: 'on' }),
    async poll(text, options) {
      await form('note', { content: text, poll_options: options.join('\n'), poll_end_secs: '3600' })
      const own = (await api.get('/api/v1/timelines/home')) as Json[]
      return own.find((status) => status.poll && status.content.includes(text)).uri
    },
    async edit(id, text) {
      await api.send('PUT', `/api/v1/statuses/${apiId(id)}`, { status: text })
    },
    press: (action, on) => form('action', { action, ...on }),
    vote: (id, author, choice) => form('vote', { irt: id, actor: author, question: choice }),
    setUp: (fields) => form('user-setup', fields),
    run: (word, ...more) => command([word, data, name, ...more]),
    timeline: () => api.get('/api/v1/timelines/home'),
    notifications: () => api.get('/api/v1/notifications'),
    status: (id) => api.get(`/api/v1/statuses/${apiId(id)}`),
    relationship: async (actor) =>
      ((await api.get(`/api/v1/accounts/relationships?id=${md5(actor)}`)) as Json[])[0],
    async isFollowAccepted(actor) {
      // Its API tells an asked follow from an accepted one nowhere. Its file holds the last thing said of it.
      const file = path.join(ownFiles('following'), `${md5(actor)}.json`)
      return JSON.parse(await readFile(file, 'utf8')).type === 'Accept'
    },
    async followRequests() {
      const names = await readdir(ownFiles('pending')).catch(() => [])
      const files = names.map((file) => readFile(path.join(ownFiles('pending'), file), 'utf8'))
      return (await Promise.all(files)).map((text) => JSON.parse(text).actor as string)
    },
  }
}

/** It ends connections that rest without a word, which whoever would use one again learns too late. */
const ask = (
  url: string,
  { headers, ...more }: { headers?: Record<string, string> } & Omit<RequestInit, 'headers'>,
) => fetch(url, { ...more, headers: { ...headers, connection: 'close' } })

type Api = ReturnType<typeof createApi>

function createApi(base: string, token: string) {
  async function send(
    method: string,
    target: string,
    body?: FormData | Record<string, unknown>,
  ): Promise<Json> {
    const isForm = body instanceof FormData
    const answer = await ask(base + target, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(!isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    if (answer.status === 404 && method === 'GET') return null
    if (!answer.ok) throw new Error(`snac: ${method} ${target} answered ${answer.status}`)
    return answer.json()
  }
  return { send, get: (target: string) => send('GET', target) }
}

async function postNote(api: Api, text: string, options: SnacNote = {}): Promise<string> {
  const { media } = options
  let mediaId: string | undefined
  if (media) {
    const form = new FormData()
    form.append('description', media.description)
    form.append('file', new Blob([new Uint8Array(media.bytes)]), media.name)
    mediaId = (await api.send('POST', '/api/v2/media', form)).id
  }
  const made = await api.send('POST', '/api/v1/statuses', {
    status: text,
    visibility: options.visibility ?? 'public',
    ...(options.replyTo && { in_reply_to_id: apiId(options.replyTo) }),
    ...(options.summary && { spoiler_text: options.summary }),
    ...(mediaId && { media_ids: [mediaId] }),
  })
  return made.uri
}

async function submit(url: string, authorization: string, fields: Record<string, string>): Promise<void> {
  // It compares the content type as a whole: with a charset behind it, the fields would not be read.
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(fields).toString()
  const answer = await ask(url, { method: 'POST', body, headers, redirect: 'manual' })
  if (answer.status !== 303) throw new Error(`snac: ${url} answered ${answer.status}: ${await answer.text()}`)
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
/** Ten digits of a time, which are not looked at, and a hash of the id. */
const apiId = (uri: string) => `0000000000${md5(uri)}`
