import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { domainWings, folderSizes, layers } from '../architecture.mjs'
import { checkArchitecture, listImports } from './architecture-check.ts'

const trees: string[] = []

/** Writes a small project with these files and returns the checker's lines. */
function check(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'architecture-'))
  trees.push(root)
  const manifest = {
    imports: {
      '#lib/*': './src/lib/*',
      '#db/*': './src/db/*',
      '#domain/*': './src/domain/*',
      '#test/*': './test/*',
    },
    dependencies: { kysely: '0', jsonld: '0', hono: '0' },
  }
  const all = { 'package.json': JSON.stringify(manifest), 'src/lib/ids.ts': 'export const a = 1', ...files }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return checkArchitecture(root)
}

afterEach(() => {
  for (const root of trees.splice(0)) rmSync(root, { recursive: true })
})

describe('the table', () => {
  test('names only layers that exist in it, each after those it imports', () => {
    const names = Object.keys(layers)
    for (const [index, name] of names.entries()) {
      for (const other of [...(layers[name]?.imports ?? []), ...(layers[name]?.typesOnly ?? [])]) {
        expect(names.indexOf(other), `${name} imports ${other}`).toBeLessThan(index)
        expect(names).toContain(other)
      }
    }
    const capabilities = Object.values(domainWings).flat()
    expect(new Set(capabilities).size).toBe(capabilities.length)
  })
})

describe('imports are found in every form', () => {
  test.each([
    ["import { a } from 'x'", false],
    ["import type { A } from 'x'", true],
    ["import { type A } from 'x'", true],
    ["import { type A, b } from 'x'", false],
    ["import 'x'", false],
    ["export * from 'x'", false],
    ["export type { A } from 'x'", true],
    ["const a = await import('x')", false],
    ["type A = import('x').A", true],
    ["function f(a: typeof import('x')) { return a }", true],
  ])('%s', (source, typeOnly) => {
    expect(listImports(`const first = 0\n${source}`)).toEqual([{ specifier: 'x', line: 2, typeOnly }])
  })

  test('but not in texts and comments', () => {
    expect(listImports("// import 'x'\nconst a = \"import 'x'\"")).toEqual([])
  })
})

describe('layers', () => {
  test('a tree that keeps to the table has no problems', () => {
    expect(
      check({
        'src/db/paging.ts': "import { a } from '#lib/ids.ts'\nexport const b = a",
        'src/ports/ctx.ts': "import type { b } from '#db/paging.ts'\nexport type Ctx = typeof b",
        'src/main.ts': "import './app/run.ts'",
        'src/app/run.ts': "import 'node:fs'",
      }),
    ).toEqual([])
  })

  test('an import against the table, by alias and by relative path', () => {
    const files = { 'src/http/a.ts': "\nimport '../worker/b.ts'", 'src/worker/b.ts': '' }
    expect(check(files)).toEqual(['src/http/a.ts:2: http must not import worker'])
    expect(check({ 'src/http/a.ts': "import '#db/b.ts'", 'src/db/b.ts': '' })).toEqual([
      'src/http/a.ts:1: http must not import db',
    ])
  })

  test('a type import counts', () => {
    expect(
      check({
        'src/lib/a.ts': "import type { B } from '../config/b.ts'",
        'src/config/b.ts': 'export type B = 1',
      }),
    ).toEqual(['src/lib/a.ts:1: lib must not import config'])
  })

  test('ports take only types from db', () => {
    expect(check({ 'src/ports/a.ts': "import { b } from '#db/b.ts'", 'src/db/b.ts': '' })).toEqual([
      'src/ports/a.ts:1: ports may import only types of db',
    ])
  })

  test('an unlisted folder, a loose file, an unlisted capability', () => {
    expect(
      check({
        'src/utils/a.ts': '',
        'src/loose.ts': '',
        'src/domain/content/x/a.ts': '',
        'src/domain/server/polls/a.ts': '',
        'src/domain/content/b.ts': '',
      }),
    ).toEqual([
      'src/domain/content/b.ts: files of the domain belong in the folder of a capability, in its wing',
      'src/domain/content/x/a.ts: the capability content/x is not in the wings of the domain',
      'src/domain/server/polls/a.ts: the capability server/polls is not in the wings of the domain',
      'src/loose.ts: src/loose.ts is not in architecture.mjs',
      'src/utils/a.ts: src/utils is not in architecture.mjs',
    ])
  })

  test('support for tests is for tests alone', () => {
    const files = { 'src/lib/a.test.ts': "import '#test/app.ts'", 'test/app.ts': '' }
    expect(check(files)).toEqual([])
    expect(check({ ...files, 'src/lib/a.ts': "import '#test/app.ts'" })).toHaveLength(1)
    expect(check({ ...files, 'src/lib/b.ts': "import './a.test.ts'" })).toEqual([
      'src/lib/b.ts:1: src/lib/a.test.ts is a test',
    ])
  })
})

describe('the order of the domain', () => {
  const files = {
    'src/domain/identity/accounts/a.ts': '',
    'src/domain/content/polls/p.ts': '',
    'src/domain/content/media/m.ts': '',
  }

  test('a capability may import those before it', () => {
    const source = "import '#domain/identity/accounts/a.ts'\nimport '#domain/content/media/m.ts'"
    expect(check({ ...files, 'src/domain/content/polls/vote.ts': source })).toEqual([])
  })

  test('and not those after it', () => {
    expect(
      check({
        ...files,
        'src/domain/identity/accounts/b.ts': "import type {} from '#domain/content/polls/p.ts'",
        'src/domain/content/media/b.ts': "import '#domain/content/polls/p.ts'",
      }),
    ).toEqual([
      'src/domain/content/media/b.ts:1: the capability content/media must not import content/polls, which comes after it',
      'src/domain/identity/accounts/b.ts:1: the capability identity/accounts must not import content/polls, which comes after it',
    ])
  })
})

describe('packages', () => {
  test('kysely only where SQL is, and as types in ports', () => {
    expect(
      check({
        'src/domain/content/tags/a.ts': "import { sql } from 'kysely'",
        'src/ports/a.ts': "import type { Kysely } from 'kysely'",
        'src/ports/b.ts': "import { sql } from 'kysely'",
        'src/views/a.ts': "import type { Kysely } from 'kysely'",
      }),
    ).toEqual([
      'src/ports/b.ts:1: ports may import only types of kysely',
      'src/views/a.ts:1: views must not import kysely',
    ])
  })

  test('jsonld only in federation, fedify only in its tests', () => {
    const [jsonld, fedify] = ["import 'jsonld/dist/a.js'", "import '@fedify/fedify/vocab'"]
    expect(
      check({
        'src/federation/a.ts': jsonld,
        'src/worker/a.ts': jsonld,
        'src/federation/b.ts': fedify,
        'src/federation/b.test.ts': fedify,
        'src/worker/b.test.ts': fedify,
      }),
    ).toEqual([
      'src/federation/b.ts:1: @fedify/fedify is not among the dependencies in package.json',
      'src/worker/a.ts:1: worker must not import jsonld',
      'src/worker/b.test.ts:1: worker must not import @fedify/fedify',
    ])
  })

  test('the outbox is written by its own functions', () => {
    const source = '\nsql`\n  insert into outbox (event) values (null)`'
    expect(
      check({
        'src/db/a.ts': source,
        'src/domain/content/tags/a.ts': source,
        'src/worker/a.test.ts': source,
      }),
    ).toEqual([
      'src/domain/content/tags/a.ts:3: events go out by tx.emit, or by insertingEvents in the statement that makes their rows',
    ])
  })

  test('the program uses what package.json installs for it', () => {
    const source = "import 'vitest'"
    expect(check({ 'src/lib/a.ts': source, 'src/lib/a.test.ts': source })).toEqual([
      'src/lib/a.ts:1: vitest is not among the dependencies in package.json',
    ])
  })
})

describe('files', () => {
  test('a cycle is reported once, also one of types', () => {
    expect(
      check({
        'src/lib/a.ts': "import { b } from './b.ts'\nexport const a = b",
        'src/lib/b.ts': "import type { C } from './c.ts'\nexport const b: C = 1",
        'src/lib/c.ts': "import type { a } from './a.ts'\nexport type C = typeof a | 1",
      }),
    ).toEqual(['src/lib/a.ts: cycle: src/lib/a.ts → src/lib/b.ts → src/lib/c.ts → src/lib/a.ts'])
  })

  test('an import that leads nowhere', () => {
    expect(check({ 'src/lib/a.ts': "import './ids.js'\nimport '#nothing/x.ts'\nimport './ids'" })).toEqual([
      'src/lib/a.ts:1: ./ids.js leads to no file',
      'src/lib/a.ts:2: #nothing/x.ts leads to no file',
      'src/lib/a.ts:3: ./ids leads to no file',
    ])
  })
})

describe('folders', () => {
  const files = {
    'src/domain/identity/accounts/a.ts': "import './remote/b.ts'\nimport './remote/c.ts'",
    'src/domain/identity/accounts/remote/b.ts': 'export const b = 1',
    'src/domain/identity/accounts/remote/c.ts': 'export const c = 1',
    'src/domain/identity/accounts/d.ts': 'export type D = 1',
  }

  test('two that import each other are named, a folder and one inside it too', () => {
    expect(check(files)).toEqual([])
    const back = "import type { D } from '../d.ts'"
    expect(check({ ...files, 'src/domain/identity/accounts/remote/c.ts': back })).toEqual([
      'src/domain/identity/accounts/a.ts:2: src/domain/identity/accounts imports src/domain/identity/accounts/remote, which imports it at src/domain/identity/accounts/remote/c.ts:1: put what both need into a third folder',
    ])
    expect(check({ ...files, 'src/domain/identity/accounts/remote/c.test.ts': back })).toEqual([])
  })

  test('one with more than 25 files is named, in src and in test, unless it is exempted', () => {
    const many = (folder: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${folder}/${index}.txt`, '']))
    expect(check({ ...many('src/lib/text', 25), ...many('test/api/x', 25) })).toEqual([])
    expect(check({ ...many('src/lib/text', 26), ...many('test/api/x', 27) })).toEqual([
      'src/lib/text: 26 files: a folder has at most 25',
      'test/api/x: 27 files: a folder has at most 25',
    ])
    const [exempted = ''] = Object.keys(folderSizes.crowded)
    expect(check(many(exempted, 40))).toEqual([])
    expect(check(many(exempted, 20))).toEqual([
      `${exempted}: has at most 25 files and needs no exemption in architecture.mjs`,
    ])
  })
})
