import { expect, test } from 'vitest'
import { readSoleLink } from './sole-link.ts'
import { renderLink } from './render-text.ts'

const link = (href: string, text: string) => `<a href="${href}" rel="me nofollow">${text}</a>`
const bank = 'https://bank.example'

test.each([
  ['as this server writes it', renderLink(`${bank}/a/very/long/path/that/is/cut/somewhere`, true)],
  ['plain', link(`${bank}/`, `${bank}/`)],
  ['without its last slash', link(`${bank}/`, bank)],
  ['without its scheme', link(bank, 'bank.example')],
  ['with its port', link(`${bank}:8443/x`, `${bank}:8443/x`)],
  ['in a paragraph', `<p>${link(bank, bank)}</p>\n`],
  ['in punycode', link('https://xn--bnk-sna.example', 'https://xn--bnk-sna.example')],
  ['with letters in its path', link(`${bank}/übung`, `${bank}/übung`)],
])('a link is one: %s', (_name, html) => {
  expect(readSoleLink(html)).toBe(/href="([^"]+)"/.exec(html)?.[1])
})

test.each([
  ['another domain in its text', link('http://a', bank)],
  ['another path', link(`${bank}/@mallory`, bank)],
  ['another scheme', link('http://bank.example', bank)],
  ['words for its text', link(bank, 'My bank')],
  ['no text', link(bank, '')],
  ['text before it', `see ${link(bank, bank)}`],
  ['text after it', `${link(bank, bank)} (my site)`],
  ['two links', link(bank, bank) + link(bank, bank)],
  ['a line of its own after it', `${link(bank, bank)}<br />`],
  ['a picture in it', link(bank, `${bank}<img src="x">`)],
  ['something struck out in it', link(`${bank}.evil.example`, `${bank}<del>.evil.example</del>`)],
  ['a user before its host', link('https://bank.example@evil.example', 'https://bank.example@evil.example')],
  ['a user and a password', link('https://a:b@evil.example/', 'https://a:b@evil.example/')],
  ['upper case in its host', link('https://Bank.example', 'https://Bank.example')],
  ['an upper case scheme', link('HTTPS://bank.example', 'HTTPS://bank.example')],
  ['letters of another script', link('https://b\u0430nk.example', 'https://b\u0430nk.example')],
  ['a default port', link(`${bank}:443/`, `${bank}:443/`)],
  ['a backslash', link('https:\\\\bank.example', 'https:\\\\bank.example')],
  ['an override of direction', link(`${bank}/\u202Ex`, `${bank}/\u202Ex`)],
  ['a sign that nobody sees', link(`${bank}/\u200Bx`, `${bank}/\u200Bx`)],
  ['a sign that nobody sees in its text', link(bank, `https://bank\u00AD.example`)],
  ['a blank', link(`${bank}/ x`, `${bank}/ x`)],
  ['no host', link('https:///x', 'https:///x')],
  ['another scheme altogether', link('xmpp:a@bank.example', 'xmpp:a@bank.example')],
  ['a script', link('javascript:alert(1)', 'javascript:alert(1)')],
  ['no address', '<a>https://bank.example</a>'],
])('it is none with %s', (_name, html) => {
  expect(readSoleLink(html)).toBeNull()
})
