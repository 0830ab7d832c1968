import { preloadedContexts } from '@fedify/fedify/runtime'
import { expect, test } from 'vitest'
import { jsonLdContext } from '../objects/context.ts'
import { canonize } from './canonize.ts'

const as = 'https://www.w3.org/ns/activitystreams'
const identity = 'https://w3id.org/identity/v1'

test('A graph has one form, whatever the order of its terms and the names of its blank nodes', async () => {
  const quads = [
    '<https://chat.example/1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://www.w3.org/ns/activitystreams#Note> .',
    '<https://chat.example/1> <https://www.w3.org/ns/activitystreams#content> "grüezi \\"du\\"\\n"@de .',
    '<https://chat.example/1> <https://www.w3.org/ns/activitystreams#tag> _:c14n0 .',
    '_:c14n0 <https://www.w3.org/ns/activitystreams#href> <https://chat.example/users/alice> .',
    '',
  ]
  const contentMap = { de: 'grüezi "du"\n' }
  const href = 'https://chat.example/users/alice'
  const id = 'https://chat.example/1'
  const form = quads.join('\n')
  expect(await canonize({ '@context': as, id, type: 'Note', contentMap, tag: { href } })).toBe(form)
  expect(await canonize({ tag: { href, id: '_:x' }, contentMap, type: 'Note', id, '@context': as })).toBe(
    form,
  )
})

test('The options of a signature mean what the signers of identity/v1 meant', async () => {
  const options = {
    '@context': identity,
    creator: 'https://chat.example/a#key',
    created: '2026-03-01T12:00:00Z',
  }
  expect((await canonize(options)).split('\n')).toEqual([
    '_:c14n0 <http://purl.org/dc/terms/created> "2026-03-01T12:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime> .',
    '_:c14n0 <http://purl.org/dc/terms/creator> <https://chat.example/a#key> .',
    '',
  ])
})

test('What is carried is what Fedify carries, and all that our own context names', async () => {
  for (const url of [...jsonLdContext.filter((entry) => typeof entry === 'string'), identity]) {
    const type = url === as ? 'Create' : 'CryptographicKey'
    const theirs = preloadedContexts[url] as Record<string, unknown>
    expect(await canonize({ '@context': url, type })).toBe(await canonize({ ...theirs, type }))
  }
})

test('No context is fetched, wherever it is named', async () => {
  const away = 'https://remote.example/context'
  const documents = [
    { '@context': away },
    { '@context': [as, away] },
    { '@context': as, object: { '@context': away } },
    { '@context': { '@version': 1.1, a: { '@id': 'https://a.example/', '@context': away } }, a: { b: 'c' } },
    { '@context': { '@version': 1.1, '@import': away } },
    { '@context': 'constructor' },
  ]
  for (const document of documents) await expect(canonize(document)).rejects.toThrow()
})
