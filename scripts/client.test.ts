// What the checks say of the web app, and how its messages are compiled.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compileMessage } from '../client/build/compile-messages.ts'
import { number, plural, select, setMessageLanguage, text } from '../client/src/core/icu.ts'
import { directionOf } from '#lib/text/direction.ts'
import { languages } from '#lib/text/language.ts'
import { checkArchitecture } from './architecture-check.ts'
import { findProseInClient, findUnsaid } from './messages/client.ts'

describe('a message of the web app', () => {
  const say = (message: string, params: Record<string, unknown>) =>
    (
      new Function('number', 'plural', 'select', 'text', `return ${compileMessage(message)}`) as (
        ...tools: unknown[]
      ) => (params: unknown) => string
    )(
      number,
      plural,
      select,
      text,
    )(params)

  test('is compiled to what its ICU text says', () => {
    const posts = '{count, plural, =0 {no post} one {# post of {name}} other {# posts of {name}}}'
    expect(say(posts, { count: 0, name: 'Wren' })).toBe('no post')
    expect(say(posts, { count: 1, name: 'Wren' })).toBe('1 post of Wren')
    expect(say(posts, { count: 1200, name: 'Wren' })).toBe('1,200 posts of Wren')
    expect(say('{kind, select, a {It’s "a"} other {else}}', { kind: 'b' })).toBe('else')
    expect(compileMessage('Plain "text"')).toBe('"Plain \\"text\\""')
  })

  test('leaves names their direction among words that are read from the right', () => {
    setMessageLanguage('ar')
    expect(say('اكتم {name}', { name: '@wren' })).toBe('اكتم \u2068@wren\u2069')
    setMessageLanguage('en')
    expect(say('Mute {name}', { name: '@wren' })).toBe('Mute @wren')
  })

  test('isolates them in the languages that the server lays out from the right, and in no other', () => {
    // No browser has rules for `zh-YUE`, as Mastodon writes Cantonese.
    for (const language of languages.map(({ code }) => code).filter((code) => code !== 'zh-YUE')) {
      setMessageLanguage(language)
      const isIsolated = say('{name}', { name: '@wren' }) !== '@wren'
      expect([language, isIsolated]).toEqual([language, directionOf(language) === 'rtl'])
    }
    setMessageLanguage('en')
  })

  test('that nothing says is told, and words beside the catalogues are', () => {
    const english = { post: { reply: 'Reply', more: 'More' }, visibility: { public: 'Public' } }
    const said = new Map([
      ['client/src/a.tsx', 'const A = () => <b title={t.post.reply}>{t.visibility[one]}</b>'],
    ])
    expect(findUnsaid(english, said)).toEqual(['client/locales/en.json: nothing says post.more'])
    expect(findProseInClient(said)).toEqual([])
    const spoken = new Map([
      ['client/src/a.tsx', 'const A = () => <b title="Two words">three more words</b>'],
    ])
    expect(findProseInClient(spoken)).toHaveLength(2)
  })
})

test('the web app imports types of entities and nothing else of the server', () => {
  const root = mkdtempSync(join(tmpdir(), 'stonechat-architecture-'))
  const write = (file: string, text: string) => {
    mkdirSync(join(root, dirname(file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  write(
    'package.json',
    '{ "imports": { "#entities/*": "./src/entities/*" }, "devDependencies": { "preact": "11.2.0" } }',
  )
  write('src/entities/status.ts', 'export interface Status { id: string }\nexport const Status = 1\n')
  write('src/lib/page.ts', 'export const page = 1\n')
  write(
    'client/src/good.tsx',
    "import { h } from 'preact'\nimport type { Status } from '#entities/status.ts'\n",
  )
  write(
    'client/src/bad.ts',
    "import { Status } from '#entities/status.ts'\nimport { page } from '../../src/lib/page.ts'\nimport x from 'left-pad'\n",
  )
  const problems = checkArchitecture(root).filter((problem) => problem.startsWith('client/'))
  rmSync(root, { recursive: true })
  expect(problems).toEqual([
    'client/src/bad.ts:1: the web app may import only types of entities',
    'client/src/bad.ts:2: the web app must not import src/lib/page.ts',
    'client/src/bad.ts:3: left-pad is not among the dependencies in package.json',
  ])
})
