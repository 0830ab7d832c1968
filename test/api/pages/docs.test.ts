// The documents that the server brings along, at `/docs`.
import { globSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '#test/app/app.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const documents = globSync('docs/**/*.md', { cwd: root }).map((file) =>
  `/${file.replace(/\.md$/, '')}`.replace(/\/README$/, ''),
)

let app: TestApp
const pages = new Map<string, string>()

beforeAll(async () => {
  app = await startApp()
  for (const address of documents) pages.set(address, await textOf(address))
})
afterAll(() => app.close())

async function textOf(address: string): Promise<string> {
  const response = await app.fetch(address)
  expect({ address, status: response.status }).toEqual({ address, status: 200 })
  return response.text()
}

const attributes = (text: string, name: string) =>
  [...text.matchAll(new RegExp(` ${name}="([^"]+)"`, 'g'))].map(([, value]) => value as string)

test('every document has a page with its heading, and the index leads to all of them', () => {
  for (const [address, text] of pages) {
    const headings = [...text.matchAll(/<h1[^>]*>([^<]+)</g)]
    expect({ address, headings: headings.length }).toEqual({ address, headings: 1 })
  }
  const reached = new Set<string>()
  const waiting = ['/docs']
  for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
    if (reached.has(address)) continue
    reached.add(address)
    const targets = attributes(pages.get(address) ?? '', 'href').map((href) => href.replace(/#.*/, ''))
    waiting.push(...targets.filter((target) => pages.has(target)))
  }
  expect([...pages.keys()].filter((address) => !reached.has(address))).toEqual([])
})

test('links between documents lead to documents, and to places that are in them', () => {
  for (const [address, text] of pages) {
    const links = attributes(text, 'href').filter((href) => href.startsWith('/docs') || href.startsWith('#'))
    const wrong = links.filter((href) => {
      const [target = '', anchor] = href.split('#')
      const page = pages.get(target || address)
      return page === undefined || (anchor !== undefined && !attributes(page, 'id').includes(anchor))
    })
    expect({ address, wrong }).toEqual({ address, wrong: [] })
  }
})

test('pictures of documents are there', async () => {
  const sources = [...pages.values()].flatMap((text) => attributes(text, 'src'))
  for (const source of new Set(sources.filter((one) => one.startsWith('/docs/')))) {
    const response = await app.fetch(source)
    expect([source, response.headers.get('content-type')]).toEqual([source, 'image/png'])
  }
})

test('a document that stood elsewhere before is found by its old address', async () => {
  const answer = await app.fetch('/docs/operations', { redirect: 'manual' })
  expect(answer.status).toBe(301)
  expect(answer.headers.get('location')).toBe('/docs/operators/operations')
})

test.each([
  '/docs/none',
  '/docs/../package',
  '/docs/adr/none',
  '/docs/images/none.png',
  '/docs/%2e%2e/README',
])('%s is not found', async (address) => {
  expect((await app.fetch(address)).status).toBe(404)
})
