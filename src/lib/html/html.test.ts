import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeHtml, stripHtml } from './html.ts'

describe('escapeHtml', () => {
  test('leaves nothing that a parser could take for markup', () => {
    expect(escapeHtml(`<b class="x">&amp;'`)).toBe('&lt;b class=&quot;x&quot;&gt;&amp;amp;&#39;')
  })

  test('is undone by stripHtml but for white space', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'<>&"\'; abglmptqu#39/!-\n') }), (text) => {
        const plain = text.replace(/[ \n]+/g, ' ').trim()
        expect(stripHtml(escapeHtml(text))).toBe(plain)
      }),
    )
  })
})

describe('stripHtml', () => {
  test.each([
    ['<p>a</p><p>b<br>c</p>', 'a\n\nb\nc'],
    ['<p>a<br/></p>\n<p>b</p>', 'a\n\nb'],
    ['a &lt;b&gt; &amp;amp; &eacute;&#x1F600;&nbsp;!', 'a <b> &amp; é😀\u00a0!'],
    ['  a \n\t b  ', 'a b'],
    ['<ul><li>x</li><li>y</li></ul>z', 'x\ny\n\nz'],
    ['a<script>alert("<b>")</script>b<style>p{}</style>c', 'abc'],
    ['a<!-- <b>x</b> -->b<!doctype html>c<?php x ?>d', 'abcd'],
    ['<a href="x>y" title=\'>\'>t</a>', 't'],
    ['1 < 2 <3 > 4', '1 < 2 <3 > 4'],
    ['a<b', 'a'],
    ['a<b title="', 'a'],
    ['a<!-- b', 'a'],
    ["<it's>x", 'x'],
    [
      '<a href="https://e.com/1"><span class="invisible">https://</span><span class="ellipsis">e.com</span><span class="invisible">/1</span></a>',
      'https://e.com/1',
    ],
    ['', ''],
  ])('%s', (html, text) => expect(stripHtml(html)).toBe(text))

  test('takes any broken markup, and text between whole tags always stays', () => {
    const part = fc.constantFrom(
      '<',
      '<p',
      '<br>',
      '"',
      "'",
      '=',
      '&',
      '&lt',
      '/',
      '!--',
      ' ',
      '<p title="',
      '</',
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        expect(stripHtml(`<p>before</p>${parts.join('')}`)).toMatch(/^before/)
      }),
    )
  })
})
