/**
 * Makes the pictures of the README and of docs/ anew: bin/node scripts/documents/screens.ts. It starts the server on an empty folder
 * as a new user does, sets it up in a browser by the link that the start prints, writes the first post there, lets some
 * people live on it, and looks at it. Wants Chromium (CHROMIUM, else Debian's).
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import sharp from 'sharp'
import { withWatchedFolder } from '#test/processes/watched-folder.ts'

const root = path.resolve(import.meta.dirname, '../..')
const port = 3998
const base = `http://localhost:${port}`
const wide: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }
const phone: BrowserContextOptions = { viewport: { width: 390, height: 800 }, deviceScaleFactor: 2 }
const program = path.join(root, 'bin/stonechat')
const password = 'correct horse battery'

const shoot = async (page: Page, name: string) => {
  await page.evaluate('document.fonts.ready')
  await page.screenshot({ path: path.join(root, `docs/images/${name}.png`) })
  console.log(`docs/images/${name}.png`)
}

/** Starts the program on a folder. Resolves with what it has printed once it says that it serves. */
async function start(env: NodeJS.ProcessEnv): Promise<{ child: ChildProcess; printed: string }> {
  const child = spawn(program, ['serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.on('data', (data) => (printed += data))
  while (!/\/setup\?token=\S+/.test(printed)) {
    if (child.exitCode !== null) throw new Error(`The server ended: ${printed}`)
    await sleep(100)
  }
  return { child, printed }
}

/** Runs a command of the program; resolves with what it prints. */
async function run(env: NodeJS.ProcessEnv, ...words: string[]): Promise<string> {
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.on('data', (data) => (printed += data))
  const [code] = (await once(child, 'exit')) as [number]
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}`)
  return printed.trim()
}

/** From the link that the start prints to the first post. Returns the window, whose owner stays signed in. */
async function setUp(browser: Browser, link: string): Promise<Page> {
  const page = await (await browser.newContext(wide)).newPage()
  await page.goto(link)
  for (const [name, value] of [
    ['title', 'The Hedgerow'],
    ['description', 'A small server for people who like birds, books and long walks.'],
    ['rules', 'Be kind.\nDescribe your pictures.\nNo advertising.'],
    ['username', 'wren'],
    ['email', 'wren@hedgerow.example'],
    ['password', password],
  ] as const)
    await page.locator(`[name="${name}"]`).fill(value)
  await page.evaluate('document.activeElement.blur(), scrollTo(0, 0)')
  await shoot(page, 'set-up')
  await page.locator('form[action="/setup"] button[type="submit"]').click()
  await page.waitForURL('**/setup/done')
  await page.goto(`${base}/publish`)
  const text = 'Hello, world! The hedgerow is open. The first blackbird is here already.'
  await page.getByRole('textbox', { name: 'What is on your mind?' }).fill(text)
  await shoot(page, 'first-post')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('status').filter({ hasText: 'Published' }).waitFor()
  return page
}

interface Person {
  /** Gives them a picture of a colour of their own. */
  dress(color: string): Promise<void>
  post(target: string, body: object): Promise<{ id: string }>
  picture(colors: readonly [string, string], description: string): Promise<string>
}

async function newPerson(env: NodeJS.ProcessEnv, name: string): Promise<Person> {
  if (name !== 'wren') {
    const email = `${name}@hedgerow.example`
    await run(env, 'accounts', 'create', name, '--email', email, '--confirmed', '--approve')
  }
  const token = await run(env, 'tokens', 'create', name)
  const send = async (target: string, init: RequestInit) => {
    const headers = { ...(init.headers as object), authorization: `Bearer ${token}` }
    const answer = await fetch(base + target, { method: 'POST', ...init, headers })
    if (!answer.ok) throw new Error(`${target}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { id: string }
  }
  return {
    async dress(color) {
      const form = new FormData()
      form.set('avatar', new File([await feather(color)], 'avatar.png', { type: 'image/png' }))
      await send('/api/v1/accounts/update_credentials', { method: 'PATCH', body: form })
    },
    post: (target, body) =>
      send(target, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    async picture(colors, description) {
      const form = new FormData()
      form.set('file', new File([await landscape(colors)], 'picture.png', { type: 'image/png' }))
      form.set('description', description)
      return (await send('/api/v2/media', { body: form })).id
    },
  }
}

/** A sky, hills and a sun: a picture that belongs to nobody. */
function landscape([sky, hills]: readonly [string, string]): Promise<Uint8Array<ArrayBuffer>> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="760">
    <defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="${sky}"/><stop offset="1" stop-color="#fdf3e1"/></linearGradient></defs>
    <rect width="1200" height="760" fill="url(#s)"/><circle cx="880" cy="240" r="80" fill="#fff6d6"/>
    <path d="M0 520 Q300 360 620 510 T1200 470 V760 H0Z" fill="${hills}" opacity=".65"/>
    <path d="M0 620 Q380 500 720 610 T1200 590 V760 H0Z" fill="${hills}"/></svg>`
  return sharp(Buffer.from(svg))
    .png()
    .toBuffer()
    .then((bytes) => new Uint8Array(bytes))
}

/** A round bird of one colour. */
function feather(color: string): Promise<Uint8Array<ArrayBuffer>> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="400" height="400" fill="#e9efe6"/>
    <ellipse cx="200" cy="230" rx="120" ry="105" fill="${color}"/><circle cx="255" cy="140" r="62" fill="${color}"/>
    <circle cx="272" cy="128" r="9" fill="#222"/><path d="M312 138 l42 12 -42 14z" fill="#c9822f"/></svg>`
  return sharp(Buffer.from(svg))
    .png()
    .toBuffer()
    .then((bytes) => new Uint8Array(bytes))
}

/** Some people with something to say. Returns the id of a post with a picture and answers. */
async function live(env: NodeJS.ProcessEnv): Promise<string> {
  const names = ['wren', 'robin', 'martin', 'finch']
  const [wren, robin, martin, finch] = (await Promise.all(names.map((name) => newPerson(env, name)))) as [
    Person,
    Person,
    Person,
    Person,
  ]
  const say = (who: Person, status: string, more: object = {}) =>
    who.post('/api/v1/statuses', { status, ...more })
  const colors = ['#8a5a3b', '#c2552d', '#34506e', '#7d8f3c']
  for (const [index, who] of [wren, robin, martin, finch].entries()) await who.dress(colors[index] as string)
  await say(martin, 'Back from the south. Did anybody keep my nest? #Spring')
  await say(finch, 'Which book should we read together in winter?', {
    poll: {
      options: ['The Peregrine', 'H is for Hawk', 'Something without birds, for once'],
      expires_in: 86_400,
    },
  })
  const picture = await robin.picture(
    ['#7fb2d6', '#3f5d45'],
    'Green hills under a pale sun, early in the morning',
  )
  const walk = await say(
    robin,
    'The long way to work, over the hills. Nobody but me and the larks. #Walking',
    {
      media_ids: [picture],
    },
  )
  await say(wren, '@robin How long does it take you?', { in_reply_to_id: walk.id })
  const answer = await say(robin, '@wren An hour and a half. Worth every minute.', {
    in_reply_to_id: walk.id,
  })
  await say(finch, '@robin I envy you a little.', { in_reply_to_id: answer.id })
  for (const who of [wren, martin, finch]) await who.post(`/api/v1/statuses/${walk.id}/favourite`, {})
  for (const who of [wren, finch]) await who.post(`/api/v1/statuses/${walk.id}/reblog`, {})
  const robinId = await accountId('robin')
  for (const name of ['robin', 'martin', 'finch'])
    await wren.post(`/api/v1/accounts/${await accountId(name)}/follow`, {})
  for (const who of [martin, finch]) await who.post(`/api/v1/accounts/${robinId}/follow`, {})
  const spam = await say(martin, 'Cheap nests! Only today!')
  await finch.post('/api/v1/reports', {
    account_id: await accountId('martin'),
    status_ids: [spam.id],
    category: 'spam',
    comment: 'Third time this week.',
  })
  return walk.id
}

async function accountId(name: string): Promise<string> {
  const answer = await fetch(`${base}/api/v1/accounts/lookup?acct=${name}`)
  return ((await answer.json()) as { id: string }).id
}

/** Looks at the server as its owner does, on a desk and on a phone. */
async function look(browser: Browser, owner: Page, walk: string): Promise<void> {
  const state = await owner.context().storageState()
  const open = async (address: string, options: BrowserContextOptions) => {
    const page = await (await browser.newContext({ ...options, storageState: state })).newPage()
    await page.goto(base + address)
    await page.waitForLoadState('networkidle')
    return page
  }
  await shoot(await open('/home', wide), 'app')
  await shoot(await open(`/@robin/${walk}`, phone), 'thread-phone')
  await shoot(await open('/@robin', { ...wide, colorScheme: 'dark' }), 'profile-dark')
  const reports = await open('/admin/reports', wide)
  await reports.goto(
    new URL(
      (await reports.locator('main a[href^="/admin/reports/"]').first().getAttribute('href')) ?? '',
      base,
    ).href,
  )
  await shoot(reports, 'desk')
  const stranger = await (await browser.newContext(wide)).newPage()
  await stranger.goto(base)
  await shoot(stranger, 'home')
}

await withWatchedFolder('stonechat-screens-', async (folder) => {
  const dataDir = path.join(folder, 'data')
  const env = { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn', DATABASE_URL: '' }
  const { child, printed } = await start(env)
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const owner = await setUp(browser, /\S+\/setup\?token=\S+/.exec(printed)?.[0] ?? '')
    await look(browser, owner, await live(env))
  } finally {
    await browser.close()
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
})
