// A server on which there is something of everything that its own pages show, in words of no language.
import { sql } from 'kysely'
import sharp from 'sharp'
import { unsubscribeToken } from '#domain/identity/accounts/mail-settings.ts'
import type { TestApp } from '#test/app/app.ts'
import { uploadForm } from '#test/client/upload.ts'
import { authorizePath, registerClient } from '#test/client/oauth.ts'
import type { Person } from '#test/people/people.ts'
import { layDeskLists } from './desk-lists.ts'
import { personWithPassword, signedIn } from '#test/people/sign-in.ts'
import { deskPaths, layDesk } from './desk.ts'

export interface ShownPage {
  path: string
  /** Whose session the browser has; nobody's without it. */
  as?: Person
  /** 200 unless given. */
  status?: number
}

export interface ShownServer {
  readonly wren: Person
  readonly staff: Person
  readonly pages: readonly ShownPage[]
}

const lorem =
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua.'

const picture = (width: number, height: number, background: object) =>
  sharp({ create: { width, height, channels: 3, background } as never })
    .png()
    .toBuffer()

/** Lays out people, posts and settings through the API, and returns an address for each kind of page. */
export async function layServer(app: TestApp): Promise<ShownServer> {
  const wren = await personWithPassword(app, 'wren')
  const robin = await app.person('robin')
  const staff = await personWithPassword(app, 'warden', { role: 'Owner' })
  await laySite(app, staff)
  await layProfile(wren)
  ;(await robin.patch('/api/v1/accounts/update_credentials', { discoverable: true, note: lorem })).ok()
  const thread = await layPosts(app, wren, robin)
  const collection = (
    await wren.post('/api/v1/collections', {
      name: 'Passeres',
      description: 'Lorem ipsum dolor sit amet, consectetur adipiscing elit.',
      tag_name: 'Aves',
      account_ids: [robin.accountId],
    })
  ).ok().collection
  await app.settle()
  const desk = await layDesk(app, { staff, target: wren, reporter: robin, posts: [thread] })
  const pages = [
    ...deskPaths(desk, wren).map((path) => ({ path, as: staff })),
    ...publicPages(wren, thread, collection.id),
    ...signInPages(),
    ...(await personalPages(app, wren, staff)),
    ...(await layDeskLists(app, staff)).map((path) => ({ path, as: staff })),
  ]
  return { wren, staff, pages }
}

async function laySite(app: TestApp, staff: Person): Promise<void> {
  const emoji = uploadForm(await picture(128, 96, { r: 200, g: 90, b: 20 }), { shortcode: 'rubecula' })
  ;(await staff.post('/api/v1/admin/custom_emojis', emoji)).ok()
  for (const text of ['Lorem ipsum dolor', 'Sit amet consectetur']) {
    ;(await staff.post('/api/v1/admin/rules', { text, hint: lorem })).ok()
  }
  await sql`
    insert into terms_of_service (id, text, effective_date, published_at)
    values (${app.ctx.newId()}, ${`# Lorem\n\n${lorem}`}, '2024-01-01', ${new Date(app.clock.now())})`.execute(
    app.ctx.db,
  )
  const settings = {
    site_contact_email: 'custos@avis.example',
    site_contact_username: staff.username,
    site_short_description: lorem,
    site_extended_description: `<p>${lorem}</p>`,
    registrations_mode: 'approved',
  }
  ;(await staff.patch('/api/v1/admin/settings', settings)).ok()
}

async function layProfile(wren: Person): Promise<void> {
  const profile = {
    display_name: 'Troglodytes :rubecula:',
    note: `${lorem} :rubecula: https://avis.org/ #Aves`,
    bot: true,
    discoverable: true,
    fields_attributes: [
      { name: 'Nidus', value: 'https://nidus.org/' },
      { name: 'Cantus :rubecula:', value: 'Trillo' },
    ],
  }
  ;(await wren.patch('/api/v1/accounts/update_credentials', profile)).ok()
  ;(await wren.post('/api/v1/featured_tags', { name: 'Aves' })).ok()
}

async function upload(app: TestApp, person: Person, bytes: Buffer, description: string): Promise<string> {
  const response = await app.fetch('/api/v2/media', {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}` },
    body: uploadForm(bytes, { description }),
  })
  return ((await response.json()) as { id: string }).id
}

/** Returns the id of a post with everything around it. */
async function layPosts(app: TestApp, wren: Person, robin: Person): Promise<string> {
  for (let count = 0; count < 22; count++) await wren.say(`${count} ${lorem}`)
  const media_ids = [
    await upload(app, wren, await picture(640, 400, { r: 40, g: 80, b: 120 }), 'Nox una'),
    await upload(app, wren, await picture(300, 500, { r: 160, g: 60, b: 30 }), 'Nox altera'),
    await upload(app, wren, await picture(500, 500, { r: 40, g: 120, b: 60 }), ''),
  ]
  const first = await wren.say(`Ave :rubecula: #Aves https://avis.org/longa/via ${lorem}`, { media_ids })
  await app.settle()
  const answer = await robin.say(`@${wren.username} Salve! ${lorem}`, { in_reply_to_id: first.id })
  const poll = { options: ['Prima :rubecula:', 'Secunda'], expires_in: 3600, multiple: true }
  const main = await wren.say(`Quid? ${lorem} :rubecula:`, { in_reply_to_id: answer.id, poll })
  await robin.say('Nescio', { in_reply_to_id: main.id, spoiler_text: 'Cave :rubecula:' })
  await wren.say(`Ecce ${lorem}`, { quoted_status_id: first.id })
  const sensitive = [await upload(app, robin, await picture(400, 300, { r: 9, g: 9, b: 9 }), 'Umbra')]
  await robin.say('Tecta', { in_reply_to_id: main.id, media_ids: sensitive, sensitive: true })
  ;(await robin.post(`/api/v1/statuses/${main.id}/favourite`)).ok()
  ;(await wren.post(`/api/v1/statuses/${main.id}/mute`)).ok()
  ;(await robin.post(`/api/v1/statuses/${main.id}/reblog`)).ok()
  ;(await wren.put(`/api/v1/statuses/${main.id}`, { status: `Quid nunc? ${lorem} :rubecula:`, poll })).ok()
  return main.id
}

function publicPages(wren: Person, thread: string, collection: string): ShownPage[] {
  const profile = `/@${wren.username}`
  return [
    '/',
    '/about',
    '/keyboard-shortcuts',
    '/about/design',
    '/docs',
    '/docs/rate-limits',
    '/docs/operators/operations',
    '/docs/operators/proxies',
    '/privacy-policy',
    '/terms-of-service',
    '/terms-of-service/2024-01-01',
    profile,
    `${profile}/with_replies`,
    `${profile}/media`,
    `${profile}/tagged/Aves`,
    `${profile}/${thread}`,
    `${profile}/${thread}/embed`,
    '/tags/Aves',
    '/public',
    '/public/local',
    '/public/remote',
    `/collections/${collection}`,
  ].map((path) => ({ path }))
}

const signInPages = (): ShownPage[] => [
  { path: '/auth/sign_in' },
  { path: '/auth/sign_up' },
  { path: '/auth/passkey' },
  { path: '/auth/password/new' },
  { path: '/auth/confirmation/new' },
  { path: '/oauth/authorize/native?code=abc123' },
  { path: '/auth/password/edit?reset_password_token=falsum', status: 422 },
  { path: '/auth/confirmation?confirmation_token=falsum', status: 422 },
  { path: '/invite/falsum', status: 404 },
  { path: '/nusquam', status: 404 },
]

/** Returns the page on which a collection is changed. */
async function layCollection(wren: Person): Promise<string> {
  const { collection } = (await wren.post('/api/v1/collections', { name: 'Fringillidae' })).ok()
  return `/settings/collections/${collection.id}`
}

async function personalPages(app: TestApp, wren: Person, staff: Person): Promise<ShownPage[]> {
  const strike = { type: 'none', text: lorem }
  ;(await staff.post(`/api/v1/admin/accounts/${wren.accountId}/action`, strike)).ok()
  const { rows } = await sql<{ id: string }>`
    select id from account_warnings where target_account_id = ${wren.accountId}`.execute(app.ctx.db)
  const client = await registerClient(app)
  const token = unsubscribeToken(app.ctx, 'mention', wren.userId)
  const waiting = await personWithPassword(app, 'pullus', { confirmed: false })
  const theirs = [
    '/settings',
    '/settings?q=mail',
    '/settings/profile?saved',
    '/settings/privacy',
    '/relationships?relationship=followed_by',
    '/settings/mutes',
    '/settings/blocks',
    '/settings/domain_blocks',
    '/settings/statistics',
    ...(await layReading(wren)),
    '/welcome',
    '/welcome/topics',
    '/welcome/people',
    '/settings/verification',
    '/settings/featured_tags',
    '/settings/preferences/appearance',
    '/settings/preferences/posting_defaults',
    '/auth/edit',
    '/settings/two-factor',
    '/settings/identities',
    '/settings/sessions',
    '/oauth/authorized_applications',
    authorizePath(client, { scope: 'read write:statuses' }),
    '/settings/applications',
    '/settings/applications/new',
    await layApplication(app, wren),
    '/settings/notifications',
    '/settings/followers',
    '/severed_relationships',
    ...(await layFiles(app, wren)),
    '/statuses_cleanup',
    '/disputes/strikes',
    `/disputes/strikes/${rows[0]?.id}`,
    ...leaving,
    `/authorize_interaction?uri=${encodeURIComponent(`${app.ctx.config.baseUrl}/@${staff.username}`)}`,
    `/interact?${new URLSearchParams({ act: 'follow', uri: `${app.ctx.config.baseUrl}/@${wren.username}` })}`,
    `/@${wren.username}?plain`,
    '/?plain',
  ]
  return [
    ...theirs.map((path) => ({ path, as: wren })),
    { path: '/invites', as: staff },
    { path: '/setup', status: 404 },
    { path: '/setup/done', as: staff },
    { path: `/unsubscribe?${new URLSearchParams({ token, type: 'mention' })}` },
    { path: '/auth/setup', as: waiting },
  ]
}

/** Of those who come from another server, and who go. */
const leaving = ['/settings/migration', '/settings/aliases', '/settings/delete']

/** What comes as files and goes as files: an import that waits to be confirmed, an archive that was made. */
async function layFiles(app: TestApp, wren: Person): Promise<string[]> {
  const browser = await signedIn(app, wren)
  const form = (await browser.get('/settings/imports')).form('/settings/imports')
  const content = new File(['Account address,Show boosts\nnemo@nusquam.example,true\n'], 'f.csv')
  const sent = await browser.upload(form, { type: 'following', mode: 'merge' }, { name: 'data', content })
  const asked = await browser.submit((await browser.get('/settings/export')).form('/settings/export'))
  await app.settle()
  return ['/settings/imports', sent.location ?? '', '/settings/export', asked.location ?? '']
}

/** Returns the page of an application of one's own. */
async function layApplication(app: TestApp, wren: Person): Promise<string> {
  const browser = await signedIn(app, wren)
  const { forms } = await browser.get('/settings/applications/new')
  const form = forms.find(({ action, method }) => action === '/settings/applications' && method === 'post')
  if (!form) throw new Error('there is no form for an application')
  const made = await browser.submit(form, {
    name: 'Instrumentum',
    redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
  })
  const address = /\/settings\/applications\/\d+/.exec(made.text)?.[0]
  if (address === undefined) throw new Error(`${made.status}: no application was made`)
  return address
}

/** Returns the pages of lists and filters, with one of each. */
async function layReading(wren: Person): Promise<string[]> {
  const { id: list } = (await wren.post('/api/v1/lists', { title: 'Aves' })).ok()
  const words = { title: 'Rapum', context: ['home'], keywords_attributes: [{ keyword: 'rapum' }] }
  const { id: filter } = (await wren.post('/api/v2/filters', words)).ok()
  return [
    '/settings/muted_conversations',
    '/settings/collections',
    await layCollection(wren),
    '/settings/followed_tags',
    '/settings/lists',
    `/settings/lists/${list}`,
    '/settings/filters',
    '/settings/filters/new',
    `/settings/filters/${filter}`,
  ]
}
