// How strangers go on from their own server: the forms on pages, and where they lead.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#test/app/app.ts'
import { authorizePath, registerClient } from '#test/client/oauth.ts'
import type { Person } from '#test/people/people.ts'
import { newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'

let app: TestApp
let ada: Person
/** A server whose people say where they take requests; `nobody` says nothing. */
let remote: Server
let domain: string
const asked: string[] = []

beforeAll(async () => {
  remote = createServer((request, response) => {
    asked.push(request.url ?? '')
    const links = request.url?.includes('nobody')
      ? []
      : [
          {
            rel: 'http://ostatus.org/schema/1.0/subscribe',
            template: `http://${domain}/follow-here?at={uri}`,
          },
        ]
    response.setHeader('content-type', 'application/jrd+json')
    response.end(JSON.stringify({ subject: 'acct:x', links }))
  }).listen(0, '127.0.0.1')
  await once(remote, 'listening')
  domain = `127.0.0.1:${(remote.address() as AddressInfo).port}`
  app = await startApp({ env: { LOCAL_HTTPS: 'false', ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' } })
  ada = await personWithPassword(app, 'ada')
})
afterAll(async () => {
  await app?.close()
  remote?.close()
})

const page = (path: string) => newBrowser(app).get(path)
const linkIn = (text: string) => /<a class="button" href="([^"]+)" rel="noreferrer nofollow"/.exec(text)?.[1]
const interact = (fields: Record<string, string>) => page(`/interact?${new URLSearchParams(fields)}`)

describe('what strangers are offered', () => {
  test('is a form on profiles, on the post of a page and on a poll that runs, and nothing on others', async () => {
    const poll = { options: ['one', 'two'], expires_in: 3600 }
    const asking = await ada.say('which?', { poll })
    const answer = await ada.say('that', { in_reply_to_id: asking.id })
    const acts = async (path: string) =>
      (await page(path)).forms.map(({ method, action, fields }) => [
        method,
        action,
        fields['act'],
        fields['uri'],
      ])
    const base = app.ctx.config.baseUrl
    const actor = `${base}/users/${ada.username}`
    expect(await acts(`/@${ada.username}`)).toEqual([['get', '/interact', 'follow', actor]])
    expect(await acts(`/@${ada.username}/${asking.id}`)).toEqual([
      ['get', '/interact', 'vote', `${actor}/statuses/${asking.id}`],
      ['get', '/interact', 'reply', `${actor}/statuses/${asking.id}`],
    ])
    expect(await acts(`/@${ada.username}/${answer.id}`)).toEqual([
      ['get', '/interact', 'reply', `${actor}/statuses/${answer.id}`],
    ])
    expect(await acts('/')).toEqual([])
  })
})

describe('/interact', () => {
  const uriOf = (person: Person) => `${app.ctx.config.baseUrl}/users/${person.username}`

  test('leads to where the server of a handle takes requests, and says where that is', async () => {
    const uri = uriOf(ada)
    const seen = await interact({ act: 'follow', uri, acct: `@bob@${domain}` })
    expect(seen.status).toBe(200)
    expect(seen.text).toContain(`You go on at ${domain}`)
    expect(linkIn(seen.text)).toBe(`http://${domain}/follow-here?at=${encodeURIComponent(uri)}`)
    expect(asked.at(-1)).toBe(`/.well-known/webfinger?resource=${encodeURIComponent(`acct:bob@${domain}`)}`)
  })

  test('leads to the usual place where a server says nothing, is only named, or does not answer', async () => {
    const uri = uriOf(ada)
    for (const [acct, host] of [
      [`nobody@${domain}`, domain],
      [`http://${domain}/`, domain],
      ['bob@127.0.0.1:9', '127.0.0.1:9'],
    ] as const) {
      const link = linkIn((await interact({ act: 'reply', uri, acct })).text)
      expect(link).toBe(`http://${host}/authorize_interaction?uri=${encodeURIComponent(uri)}`)
    }
  })

  test('leads people of this server on here', async () => {
    const uri = uriOf(ada)
    const { location } = await interact({ act: 'follow', uri, acct: `ada@${app.ctx.config.localDomain}` })
    expect(location).toBe(`/authorize_interaction?${new URLSearchParams({ uri })}`)
  })

  test('asks again for what is no server, and leads to nothing that is not here [CNT-22]', async () => {
    const uri = uriOf(ada)
    const wrong = await interact({ act: 'vote', uri, acct: '<script>' })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('This is no name of a server')
    expect(wrong.text).not.toContain('<script>')
    expect(
      (await interact({ act: 'follow', uri: 'https://evil.example/x', acct: `a@${domain}` })).status,
    ).toBe(422)
  })
})

test('another account can be used when an application asks: one signs out and comes back to the question', async () => {
  const client = await registerClient(app)
  const browser = await signedIn(app, ada)
  const consent = await browser.get(authorizePath(client))
  expect(consent.headers.get('cross-origin-opener-policy')).toBe(null)
  expect(consent.text).toContain('Use another account')
  const out = await browser.submit(consent.forms.at(-1)!)
  expect(out.location).toMatch(/^\/oauth\/authorize\?.*ask_again=1/)
  const asks = await browser.get(out.location!)
  expect(asks.location).toMatch(/^\/auth\/sign_in\?return_to=%2Foauth%2Fauthorize/)
})

test('the front page leads strangers to all older posts, a page at a time', async () => {
  const said: string[] = []
  for (let count = 0; count < 27; count++) said.push((await ada.say(`older ${count}`)).id)
  const seen: string[] = []
  let path: string | undefined = '/'
  while (path !== undefined) {
    const { text } = await page(path)
    seen.push(...[...text.matchAll(/id="post-(\d+)"/g)].map(([, id = '']) => id))
    path = /href="([^"]+)" rel="next"/.exec(text)?.[1]
  }
  expect(seen.filter((id) => said.includes(id))).toEqual(said.toReversed())
})

test('titles have no shortcodes, and times stand beside days', async () => {
  const emoji = { shortcode: 'wagtail' }
  await app.ctx.db
    .insertInto('custom_emojis')
    .values({ id: app.ctx.newId(), ...emoji, domain: null, image_key: 'x.png' } as never)
    .execute()
  const bird = await app.person('bird')
  ;(await bird.patch('/api/v1/accounts/update_credentials', { display_name: 'Bird :wagtail: :no:' })).ok()
  const { id, created_at: at } = await bird.say('sings :wagtail: loudly')
  const { text } = await page(`/@${bird.username}/${id}`)
  expect(/<title>([^<]*)</.exec(text)?.[1]).toMatch(/^Bird :no:: sings loudly · /)
  expect(/og:title" content="([^"]*)"/.exec(text)?.[1]).toBe('Bird :no:: sings loudly')
  const time = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  expect((await page(`/@${bird.username}`)).text).toContain(`>${time.format(new Date(at))}</time`)
})

test('who signs up is shown the rules that they agree to, and nothing of rules where there are none', async () => {
  const owner = await app.person('owner', { role: 'Owner' })
  ;(await owner.patch('/api/v1/admin/settings', { registrations_mode: 'open' })).ok()
  const bare = (await page('/auth/sign_up')).text
  expect(bare).toContain('I have read the privacy policy and agree to it.')
  expect(bare).not.toMatch(/\brules\b/i)
  ;(await owner.post('/api/v1/admin/rules', { text: 'Let others sleep' })).ok()
  const ruled = (await page('/auth/sign_up')).text
  expect(ruled).toContain('<li>Let others sleep</li>')
  expect(ruled).toContain('I have read the rules and the privacy policy and agree to them.')
})
