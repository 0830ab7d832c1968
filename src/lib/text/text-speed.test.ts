// Hostile posts must not block the event loop: for every scanner the time has to grow with the length only.

import { describe, expect, test } from 'vitest'
import { stripHtml } from '../html/html.ts'
import { renderText } from '../html/render-text.ts'
import { countCharacters, extractShortcodes, previewLine } from './text.ts'
import { deobfuscateText } from './matching/deobfuscate-text.ts'
import { growsWithLength } from '#test/run/growth.ts'

const jobs: Record<string, (text: string) => unknown> = {
  render: (text) =>
    renderText(text, {
      mentionUrl: (username) => ({ url: `https://example.com/@${username}`, label: username }),
      tagUrl: (name) => `https://example.com/tags/${name}`,
    }),
  count: (text) => countCharacters(text),
  shortcodes: extractShortcodes,
  strip: stripHtml,
  preview: previewLine,
  deobfuscate: deobfuscateText,
}

const patterns = [
  'http://',
  'http://a.co ',
  'http://a.co/(',
  'http://a.co/)',
  'http://a.co/.....',
  'http://[::',
  'http://例え',
  'xmpp:a@',
  'magnet:?',
  '((((',
  '@a@a@',
  '@a@a ',
  '@a....',
  '@例',
  'cа',
  '漢',
  '####',
  '#a ',
  '#1_',
  '#·',
  ':ab',
  ':ab: ',
  '\n',
  '\n\nx',
  ' ',
  '&',
  '<p',
  '<a "',
  "<a ='",
  '<!--',
  '</',
  '<script>',
  'e\u0301',
  '👩‍👩‍👧',
]

describe.each(Object.entries(jobs))('%s [CNT-21]', (_name, job) => {
  test('100,000 hostile characters cost what their length costs, whatever they are', () => {
    expect(patterns.filter((pattern) => !growsWithLength(job, pattern, 100_000))).toEqual([])
  })
})
