import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseCidr } from './cidr.ts'
import { checkHttpUrl, checkOutgoingUrl, mayConnect, type OutgoingRules } from './outgoing-url.ts'

const production: OutgoingRules = {
  https: true,
  localDomain: 'example.org',
  webDomain: 'social.example.org',
  allowedPrivateAddresses: [],
}
const local: OutgoingRules = {
  https: false,
  localDomain: '127.0.0.5:3000',
  webDomain: '127.0.0.5:3000',
  allowedPrivateAddresses: [parseCidr('127.0.0.0/29')!, parseCidr('fd00::/8')!],
}

describe('in production', () => {
  test.each([
    ['https://remote.example/users/a?b#c', 'https://remote.example/users/a?b'],
    ['https://REMOTE.example.:443', 'https://remote.example/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://1.1.1.1:8443/', 'https://1.1.1.1:8443/'],
    ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
  ])('%s is taken', (text, href) => {
    expect(checkOutgoingUrl(production, text)).toMatchObject({ url: { href }, problem: null })
  })

  test.each([
    ['', 'malformed'],
    ['remote.example', 'malformed'],
    ['https://', 'malformed'],
    ['https://./', 'malformed'],
    ['https://remote.example../', 'malformed'],
    ['https://.remote.example/', 'malformed'],
    ['https://1.2.3.4.5/', 'malformed'],
    ['http://remote.example/', 'scheme'],
    ['ftp://remote.example/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['data:text/html,x', 'scheme'],
    ['gopher://remote.example:70/', 'scheme'],
    ['https://user@remote.example/', 'user-info'],
    ['https://:secret@remote.example/', 'user-info'],
    ['https://example.org/', 'own-host'],
    ['https://EXAMPLE.org.:8080/', 'own-host'],
    ['https://social.example.org/@a', 'own-host'],
    ['https://127.0.0.1/', 'private-address'],
    ['https://127.1/', 'private-address'],
    ['https://2130706433/', 'private-address'],
    ['https://0x7f.0.0.1/', 'private-address'],
    ['https://0177.0.0.1/', 'private-address'],
    ['https://１２７.0.0.1/', 'private-address'],
    ['https://0/', 'private-address'],
    ['https://[::]/', 'private-address'],
    ['https://[::ffff:a00:1]/', 'private-address'],
    ['https://localhost/', 'private-address'],
    ['https://a.LOCALHOST./', 'private-address'],
  ])('%s is refused: %s', (text, problem) => {
    expect(checkOutgoingUrl(production, text)).toEqual({ url: null, problem })
  })
})

describe('on private addresses that are allowed', () => {
  test.each([
    'http://127.0.0.1:4000/',
    'http://127.0.0.5:3001/',
    'http://localhost:4000/',
    'http://[::ffff:127.0.0.2]/',
    'http://[fd00::1]/',
    'http://remote.example/',
  ])('%s is taken', (text) => {
    expect(checkOutgoingUrl(local, text).problem).toBeNull()
  })

  test.each([
    ['http://127.0.0.5:3000/', 'own-host'],
    ['https://127.0.0.5:3000/', 'own-host'],
    ['http://127.0.0.8:4000/', 'private-address'],
    ['http://10.0.0.1/', 'private-address'],
    ['http://[fe80::1]/', 'private-address'],
  ])('%s is refused: %s', (text, problem) => {
    expect(checkOutgoingUrl(local, text).problem).toBe(problem)
  })

  test('without TLS only where this server has none either', () => {
    const rules = { ...local, https: true }
    expect(checkOutgoingUrl(rules, 'http://127.0.0.1:4000/').problem).toBe('scheme')
    expect(checkOutgoingUrl(rules, 'https://127.0.0.1:4000/').problem).toBeNull()
  })
})

test('the operator may name any address of http and https', () => {
  expect(checkHttpUrl('http://127.0.0.1:9000/a').url?.href).toBe('http://127.0.0.1:9000/a')
  expect(checkHttpUrl('https://user:hush@store.example/').problem).toBe('user-info')
  expect(checkHttpUrl('ftp://store.example/').problem).toBe('scheme')
})

test('a URL that is taken stays as it is when it is checked again', () => {
  const check = (text: string) => checkOutgoingUrl(local, text).url?.href
  const texts = fc.webUrl({ withFragments: true, withQueryParameters: true })
  for (const href of fc
    .sample(texts, 300)
    .map(check)
    .filter((href) => href !== undefined))
    expect(check(href)).toBe(href)
})

test('any spelling of an IPv4 address is judged like the address', () => {
  fc.assert(
    fc.property(fc.ipV4Extended(), (host) => {
      const { url, problem } = checkOutgoingUrl(production, `https://${host}/`)
      const address = URL.parse(`https://${host}/`)!.hostname
      expect([url?.hostname ?? null, problem]).toEqual(
        mayConnect(production, address) ? [address, null] : [null, 'private-address'],
      )
    }),
  )
})
