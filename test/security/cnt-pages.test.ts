import { beforeAll, describe, expect, test } from 'vitest'
import { pages } from '#http/web/pages.ts'
import { useApp } from '#test/app/app.ts'
import type { Browser } from '#test/client/browser.ts'
import type { Person } from '#test/people/people.ts'
import { personWithPassword, signedIn } from '#test/people/sign-in.ts'

const app = useApp()
let alice: Person
let browser: Browser
let statusId: string

beforeAll(async () => {
  alice = await personWithPassword(app, 'alice')
  browser = await signedIn(app, alice)
  const post = await alice.say('hello #tag https://third.example/picture.png')
  statusId = post.id
  await app.settle()
})

/** The pages that are shown with GET, with what stands for their parameters; feeds are no pages. */
const paths = () =>
  pages
    .filter(({ method, path }) => method === 'GET' && !path.includes('rss'))
    .map(({ path }) =>
      path
        .replace(/:handle\{[^}]*\}/, `@${alice.username}`)
        .replace(/:username/, alice.username)
        .replace(/:id(\{[^}]*\})?/, statusId)
        .replace(/:tag/, 'tag')
        .replaceAll(/:\w+/g, '1'),
    )

const isEmbed = (path: string) => path.endsWith('/embed')

async function openAll() {
  const found = []
  for (const path of paths()) {
    const page = await browser.get(path)
    if (page.headers.get('content-type')?.startsWith('text/html')) found.push({ path, ...page })
  }
  expect(found.length).toBeGreaterThan(8)
  return found
}

describe('every page [CNT-23]', () => {
  test('forbids scripts of its own text and other hosts, by a policy without exceptions', async () => {
    for (const { path, headers } of await openAll()) {
      const policy = headers.get('content-security-policy') ?? ''
      expect([path, policy]).toEqual([path, expect.stringContaining("default-src 'none'")])
      expect([path, policy]).toEqual([path, expect.stringContaining("base-uri 'none'")])
      expect([path, policy]).toEqual([
        path,
        expect.not.stringMatching(/unsafe-|script-src (?!'self'(;|$))|https?:(?!\/\/chat\.example)/),
      ])
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
    }
  })

  test('loads nothing from elsewhere and runs nothing that stands in it', async () => {
    for (const { path, text } of await openAll()) {
      const loaded = [
        ...text.matchAll(
          /<(?:script|link|img|video|audio|source|iframe|object|embed)\b[^>]*?(?:src|href)="([^"]*)"/g,
        ),
      ]
      for (const [tag, address = ''] of loaded) {
        if (/rel="(alternate|canonical|me|author)/.test(tag)) continue
        const { origin } = new URL(address, app.ctx.config.baseUrl)
        expect([path, tag, origin]).toEqual([path, tag, new URL(app.ctx.config.baseUrl).origin])
      }
      expect([path, /<script(?![^>]*\bsrc=)|\son\w+="|style="|javascript:/.test(text)]).toEqual([path, false])
    }
  })
})

describe('foreign frames [CNT-22]', () => {
  test('show no page but embeds', async () => {
    for (const { path, headers } of await openAll()) {
      const policy = headers.get('content-security-policy') ?? ''
      expect([path, headers.get('x-frame-options')]).toEqual([path, isEmbed(path) ? null : 'DENY'])
      expect([path, policy.includes(`frame-ancestors ${isEmbed(path) ? '*' : "'none'"}`)]).toEqual([
        path,
        true,
      ])
    }
  })

  test('see public and unlisted posts in embeds only, whoever is signed in', async () => {
    const seen: Record<string, number> = {}
    for (const visibility of ['public', 'unlisted', 'private', 'direct']) {
      const { id } = await alice.say(`secret-${visibility}`, { visibility })
      const page = await browser.get(`/@${alice.username}/${id}/embed`)
      seen[visibility] = page.status
      expect(page.text.includes('secret-')).toBe(page.status === 200)
    }
    expect(seen).toEqual({ public: 200, unlisted: 200, private: 404, direct: 404 })
  })

  test('get the same embed with cookies as without, and no form in it', async () => {
    const path = `/@${alice.username}/${statusId}/embed`
    const own = await browser.get(path)
    const stranger = await app.fetch(path)
    expect(own.text).toBe(await stranger.text())
    expect(own.text).not.toMatch(/<form|authenticity_token/)
  })
})
