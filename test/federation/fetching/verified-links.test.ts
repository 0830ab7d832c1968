// Which links of a profile are shown as verified: those that read as they lead, to a page that says so itself.
import { describe, expect, test } from 'vitest'
import type { Json } from '#test/client/client.ts'
import { useNetwork } from '#test/servers/network.ts'

const network = useNetwork()

async function setUp() {
  const app = await network.server()
  return { app, peer: await network.peer(), person: await app.person('linked') }
}

type SetUp = Awaited<ReturnType<typeof setUp>>

/** Whether each field of a profile of this server is verified. */
async function verifiedHere({ app, person }: SetUp, links: string[]): Promise<boolean[]> {
  const fields_attributes = links.map((value, index) => ({ name: `Link ${index}`, value }))
  ;(await person.patch('/api/v1/accounts/update_credentials', { fields_attributes })).ok()
  await app.settle()
  const { fields } = (await person.get(`/api/v1/accounts/${person.accountId}`)).ok()
  return fields.map((field: Json) => field.verified_at !== null)
}

const linkTo = (profile: string) => `<html><a rel="me" href="${profile}">me</a></html>`
const html = { type: 'text/html' }

describe('a profile of this server', () => {
  test('a page that only redirects is verified as nobody’s', async () => {
    const all = await setUp()
    const { app, peer, person } = all
    const other = await network.peer()
    const profile = `${app.baseUrl}/@${person.username}`
    peer.put('/page', linkTo(profile), html)
    peer.put('/page/', linkTo(profile), html)
    other.put('/page', linkTo(profile), html)
    const redirect = (from: string, location: string) =>
      peer.put(from, '', { ...html, status: 302, headers: { location } })
    redirect('/there', other.url('/page'))
    redirect('/along', peer.url('/page'))
    redirect('/slash', '/slash/')
    peer.put('/slash/', linkTo(profile), html)
    expect(await verifiedHere(all, ['/page', '/there', '/along', '/slash'].map(peer.url))).toEqual([
      true,
      false,
      false,
      true,
    ])
  })

  test('not a link with words beside it, with a user before its host, or with an upper case host', async () => {
    const all = await setUp()
    const { app, peer, person } = all
    peer.put('/page', linkTo(`${app.baseUrl}/@${person.username}`), html)
    const page = peer.url('/page')
    const user = page.replace('://', '://bank.example@')
    const scheme = page.replace('http', 'HTTP')
    expect(await verifiedHere(all, [`${page} mine`, user, scheme, page])).toEqual([false, false, false, true])
  })
})

describe('a profile of another server', () => {
  /** The field as it is shown here, when it comes with this text for a page that links back. */
  async function shownField({ app, peer, person }: SetUp, name: string, textOf: (page: string) => string) {
    const page = peer.url(`/pages/${name}`)
    const actor = await peer.actor(name, {
      attachment: [{ type: 'PropertyValue', name: 'Site', value: textOf(page) }],
    })
    peer.put(`/pages/${name}`, linkTo(actor.uri), html)
    const { id } = await app.find(person, actor.handle)
    await app.settle()
    const { fields } = (await person.get(`/api/v1/accounts/${id}`)).ok()
    return fields[0] as Json
  }

  test('is verified when its text is the address, and is shown as every link is', async () => {
    const all = await setUp()
    const field = await shownField(all, 'honest', (page) => `<a href="${page}" rel="me">${page}</a>`)
    expect(field.verified_at).not.toBeNull()
    expect(field.value).toContain('<span class="invisible">http://</span>')
  })

  test('hides nothing of the address that it is verified for', async () => {
    const all = await setUp()
    const field = await shownField(
      all,
      'hiding',
      (page) =>
        `<a href="${page}?https://bank.example"><span class="invisible">${page}?</span>https://bank.example</a>`,
    )
    expect(field.verified_at).not.toBeNull()
    const seen = field.value
      .replaceAll(/<span class="invisible">[^<]*<\/span>/g, '')
      .replaceAll(/<[^>]+>/g, '')
    expect(seen.startsWith(`${all.peer.domain}/pages/hiding?`)).toBe(true)
    expect(seen).not.toContain('bank')
  })

  test.each([
    ['another domain', (page: string) => `<a href="${page}" rel="me">https://bank.example</a>`],
    ['words', (page: string) => `<a href="${page}" rel="me">The Bank</a>`],
    ['signs that nobody sees', (page: string) => `<a href="${page}" rel="me">${page}\u200B</a>`],
    ['a text beside it', (page: string) => `<a href="${page}" rel="me">${page}</a> of the bank`],
  ])('is not verified when its text is %s', async (_name, textOf) => {
    const all = await setUp()
    const field = await shownField(all, 'mallory', textOf)
    expect(field.verified_at).toBeNull()
  })
})
