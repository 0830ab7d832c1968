import { expect, test } from 'vitest'
import type { Config } from '#ports/ctx.ts'
import { collectionsIn } from './named-collections.ts'

const config = { baseUrl: 'https://chat.example' } as Config
const address = 'https://chat.example/collections/'

test('the addresses of collections are found in their order, each once', () => {
  expect(collectionsIn(config, `${address}20, and [these](${address}3)! ${address}20 again`)).toEqual([
    '20',
    '3',
  ])
})

test('only whole addresses of this server count', () => {
  const others = [
    'https://other.example/collections/1',
    `${address}1/items`,
    `${address}1?page=2`,
    `${address}1.json`,
    `${address}12/`,
    `${address}1#top`,
    `${address}x`,
    `${address}99999999999999999999`,
    address,
    `https://other.example/?${address}1`,
    'chat.example/collections/1',
  ]
  for (const text of others) expect([text, collectionsIn(config, text)]).toEqual([text, []])
})

test('there is an end to them', () => {
  const many = Array.from({ length: 30 }, (_, index) => `${address}${index + 1}`).join(' ')
  expect(collectionsIn(config, many)).toHaveLength(10)
})
