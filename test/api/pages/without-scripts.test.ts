// Every page of settings and of the staff's desk as a keyboard and a browser without scripts have it: what is to be
// pressed or filled in is there for both, has a name, and leads to a page of this server.
import { parseDocument } from 'htmlparser2'
import { beforeAll, expect, test } from 'vitest'
import { startSession } from '#domain/identity/oauth/sessions.ts'
import { formTokenName } from '#http/web/kit/form.ts'
import { pages as listedPages } from '#http/web/pages.ts'
import { useApp } from '#test/app/app.ts'
import type { Person } from '#test/people/people.ts'
import { layServer, type ShownPage } from '#test/web/server-rendered.ts'

type Document = ReturnType<typeof parseDocument>
type Node = Document['children'][number] | Document
type Element = Extract<Node, { attribs: unknown }>

const app = useApp()
let pages: { about: ShownPage; document: Document }[]

beforeAll(async () => {
  const shown = await layServer(app)
  const sessions = new Map<Person, string>()
  const sessionOf = async (person: Person): Promise<string> => {
    const known = sessions.get(person)
    if (known !== undefined) return known
    const about = { userId: person.userId, address: '127.0.0.1', userAgent: null, passwordHash: null }
    const { secret } = await app.ctx.transaction((tx) => startSession(tx, about))
    sessions.set(person, secret)
    return secret
  }
  pages = []
  for (const about of shown.pages.filter(({ as }) => as)) {
    const secret = await sessionOf(about.as as Person)
    const cookie = `stonechat_session=${secret}; __Host-stonechat_session=${secret}`
    const response = await app.fetch(about.path, { headers: { accept: 'text/html', cookie } })
    pages.push({ about, document: parseDocument(await response.text()) })
  }
})

const valueOf = (element: Element, name: string): string | undefined => element.attribs[name]

const has = (element: Element, name: string) => valueOf(element, name) !== undefined

/** The elements of a page that are shown without scripts, each with those around it. */
function* walk(node: Node, around: readonly Element[] = []): Generator<[Element, readonly Element[]]> {
  const isElement = 'attribs' in node
  if (isElement && has(node, 'hidden')) return
  if (isElement) yield [node, around]
  if (!('children' in node)) return
  for (const child of node.children) yield* walk(child, isElement ? [node, ...around] : around)
}

const textOf = (node: Node): string =>
  'children' in node ? node.children.map(textOf).join('') : 'data' in node ? node.data : ''

/** What is wrong on all pages, a line each. */
const findAll = (look: (element: Element, around: readonly Element[], all: Element[]) => string | null) =>
  pages.flatMap(({ about, document }) => {
    const elements = [...walk(document)]
    const all = elements.map(([element]) => element)
    return elements.flatMap(([element, around]) => {
      const found = look(element, around, all)
      return found === null ? [] : [`${about.path}: ${found}`]
    })
  })

const controls = new Set(['a', 'button', 'input', 'select', 'textarea', 'summary'])

test('nothing is out of the reach of the Tab key, or before its turn', () => {
  expect(
    findAll((element, around) => {
      const index = valueOf(element, 'tabindex')
      if (controls.has(element.name) && index !== undefined) return `${element.name} with tabindex ${index}`
      if ([element, ...around].some((one) => has(one, 'inert')) && controls.has(element.name))
        return `${element.name} in what is inert`
      // The target of the skip link has the focus by a link alone.
      if (index !== undefined && !(index === '-1' && element.name === 'main') && index !== '0')
        return `${element.name} with tabindex ${index}`
      if (element.name === 'a' && !has(element, 'href')) return `a link to nowhere: ${textOf(element)}`
      return Object.keys(element.attribs).some((name) => name.startsWith('on'))
        ? `${element.name} with a handler`
        : null
    }),
  ).toEqual([])
})

test('every button does something without scripts', () => {
  expect(
    findAll((element, around) => {
      const type = valueOf(element, 'type') ?? 'submit'
      if (element.name !== 'button') return null
      if (has(element, 'popovertarget')) return null
      const isSent = type === 'submit' && (around.some(({ name }) => name === 'form') || has(element, 'form'))
      return isSent ? null : `a button that does nothing: ${textOf(element).trim()}`
    }),
  ).toEqual([])
})

test('every form has a button, and leads to a page that takes it, with the proof that it is ours', () => {
  expect(
    findAll((form) => {
      if (form.name !== 'form') return null
      const inside = [...walk(form)].map(([element]) => element)
      const method = (valueOf(form, 'method') ?? 'get').toUpperCase()
      const action = valueOf(form, 'action') ?? ''
      const isButton = (one: Element) =>
        one.name === 'button' || (one.name === 'input' && valueOf(one, 'type') === 'submit')
      if (!inside.some(isButton)) return `${action} has no button`
      const path = new URL(action, 'https://here.example').pathname
      if (!isTaken(method, path)) return `nobody takes ${method} ${action}`
      const isProven = inside.some((one) => valueOf(one, 'name') === formTokenName)
      return method === 'POST' && !isProven ? `${action} has no token` : null
    }),
  ).toEqual([])
})

/** Whether the server has such a page. */
const isTaken = (method: string, path: string): boolean =>
  listedPages.some((page) => {
    const pattern = page.path.replaceAll(/:\w+\{([^{}]*)\}/g, '($1)').replaceAll(/:\w+/g, '[^/]+')
    return page.method === method && new RegExp(`^${pattern}$`).test(path)
  })

test('whatever is filled in has a name that is read out', () => {
  expect(
    findAll((element, around, all) => {
      const type = valueOf(element, 'type') ?? 'text'
      if (!['input', 'select', 'textarea'].includes(element.name)) return null
      if (type === 'hidden' || type === 'submit') return null
      const id = valueOf(element, 'id')
      const isLabelled =
        around.some(({ name }) => name === 'label') ||
        has(element, 'aria-label') ||
        has(element, 'aria-labelledby') ||
        all.some((one) => one.name === 'label' && id !== undefined && valueOf(one, 'for') === id)
      return isLabelled ? null : `${element.name} ${valueOf(element, 'name')} without a name`
    }),
  ).toEqual([])
})

test('the pages are those of settings and of the desk', () => {
  const paths = pages.map(({ about }) => about.path)
  expect(paths.filter((path) => path.startsWith('/settings')).length).toBeGreaterThan(25)
  expect(paths.filter((path) => path.startsWith('/admin')).length).toBeGreaterThan(40)
})
