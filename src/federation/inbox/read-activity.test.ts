import { describe, expect, test } from 'vitest'
import { parseActivity } from './read-activity.ts'

const actor = 'https://away.example/users/bob'
const like = { id: 'https://away.example/likes/1', type: 'Like', actor, object: 'https://chat.example/1' }
const parse = (value: unknown) => parseActivity(JSON.stringify(value))

describe('parseActivity', () => {
  test('reads what every activity has, however it is written', () => {
    const read = { id: like.id, type: 'Like', actorUri: actor }
    expect(parse(like)).toMatchObject(read)
    expect(parse({ ...like, type: ['as:Like'], actor: [{ id: actor, type: 'Person' }] })).toMatchObject(read)
    expect(parse({ ...like, actor: { type: 'Person', id: actor } })).toMatchObject(read)
  })

  test('takes no id of another server for its own', () => {
    expect(parse({ ...like, id: 'https://victim.example/likes/1' })?.id).toBeNull()
    expect(parse({ ...like, id: 'https://away.example.evil.example/1' })?.id).toBeNull()
    expect(parse({ ...like, id: undefined })?.id).toBeNull()
    expect(parse({ ...like, id: 'https://AWAY.example:443/likes/2' })?.id).toBe(
      'https://AWAY.example:443/likes/2',
    )
  })

  test.each([
    ['no JSON', '{'],
    ['empty', ''],
    ['a text', '"Like"'],
    ['a list', '[{}]'],
    ['no type', JSON.stringify({ ...like, type: undefined })],
    ['an empty type', JSON.stringify({ ...like, type: '' })],
    ['no actor', JSON.stringify({ ...like, actor: undefined })],
    ['an actor at no address', JSON.stringify({ ...like, actor: 'acct:bob@away.example' })],
  ])('answers null for %s', (_, body) => {
    expect(parseActivity(body)).toBeNull()
  })

  test('refuses what is nested too deeply, and what is too much [FED-31]', () => {
    const nested = (depth: number) => `${'{"object":'.repeat(depth)}1${'}'.repeat(depth)}`
    const within = JSON.stringify({ ...like, object: 'NESTED' })
    expect(parseActivity(within.replace('"NESTED"', nested(49)))).not.toBeNull()
    expect(parseActivity(within.replace('"NESTED"', nested(50)))).toBeNull()
    expect(parseActivity('['.repeat(100_000))).toBeNull()
    expect(parse({ ...like, to: Array.from({ length: 5_000 }, () => actor) })).not.toBeNull()
    expect(parse({ ...like, to: Array.from({ length: 5_001 }, () => actor) })).toBeNull()
    expect(
      parse({ ...like, to: Array.from({ length: 1_000 }, () => Array.from({ length: 51 }, () => 1)) }),
    ).toBeNull()
  })

  test('counts no brackets that are part of a text', () => {
    const texts = [
      '['.repeat(200),
      `"${'['.repeat(200)}`,
      `\\"${'{'.repeat(200)}`,
      '\\'.repeat(201) + '['.repeat(200),
    ]
    for (const content of texts) expect(parse({ ...like, content })?.json['content']).toBe(content)
  })

  test('leaves members out that would become a prototype [FED-32]', () => {
    const body = `{"__proto__":{"a":1},"x":[{"__proto__":{"b":1},"constructor":1}],${JSON.stringify(like).slice(1)}`
    const json = parseActivity(body)?.json ?? {}
    const [inner] = json['x'] as object[]
    expect(Object.keys(json)).toEqual(['x', ...Object.keys(like)])
    expect(Object.keys(inner ?? {})).toEqual(['constructor'])
    expect(Object.assign({}, json, inner)).not.toHaveProperty('a')
  })
})
