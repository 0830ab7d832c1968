// Our cleaning of HTML beside that of sanitize-html.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import theirs, { type IOptions } from 'sanitize-html'
import { sanitizeHtml } from './sanitize.ts'
import { runs } from '#test/run/night.ts'

const kept = 'p br span a del s pre blockquote code b strong u i em ul ol li ruby rt rp'.split(' ')
const schemes = 'http https dat dweb ipfs ipns ssb gopher xmpp magnet gemini'.split(' ')
const dropped = 'script style iframe svg math template noembed noframes noscript plaintext xmp'.split(' ')

const strict: IOptions = {
  allowedTags: kept,
  allowedAttributes: {
    a: ['href', 'rel', 'target', 'class', 'translate', 'lang'],
    span: ['class', 'translate', 'lang'],
    p: ['class', 'lang'],
    ol: ['start', 'reversed', 'lang'],
    li: ['value', 'lang'],
    '*': ['lang'],
  },
  allowedClasses: {
    '*': ['mention', 'hashtag', 'ellipsis', 'invisible', 'quote-inline', /^(?:[hpue]|dt)-/],
  },
  allowedSchemes: schemes,
  allowProtocolRelative: false,
}
/** Lets everything through, in the spelling of sanitize-html. */
const loose: IOptions = {
  allowedTags: false,
  allowedAttributes: false,
  allowVulnerableTags: true,
  // It takes `allowedSchemes: false` for none.
  allowedSchemesAppliedToAttributes: [],
}

const pieces = [
  ...[
    ...kept,
    ...dropped,
    'img',
    'table',
    'h1',
    'div',
    'form',
    'input',
    'object',
    'base',
    'textarea',
    'option',
  ].flatMap((name) => [`<${name}>`, `</${name}>`, `<${name} `, `<${name.toUpperCase()}/>`]),
  '<',
  '>',
  '"',
  "'",
  '/',
  '=',
  '&',
  ' ',
  '\n',
  '\0',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?',
  '<!',
  'text',
  'é',
  ' onclick=x',
  ' style="a:b"',
  ' href="javascript:x"',
  ' href=" java\tscript:x"',
  ' href="https://a.example/?a=1&b=2"',
  " href='//a.example'",
  ' href="data:text/html,x"',
  ' href="HTTPS://a.example"',
  ' class="mention evil"',
  ' lang=en',
  ' translate=no',
  ' start="1"',
  ' value=x',
  ' id=x',
  ' xlink:href="javascript:x"',
  '&lt;script&gt;',
  '&#106;',
  '&colon;',
  '&quot;',
  '&Tab;',
  '&NewLine;',
  '\u00a0',
]
const document = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(''))

test('sanitize-html finds nothing to take out of what we let through [CNT-1] [CNT-2]', () => {
  fc.assert(
    fc.property(document, (html) => {
      const ours = sanitizeHtml(html)
      expect(theirs(ours, strict)).toBe(theirs(ours, loose))
    }),
    // Few of them are links with an address.
    { numRuns: runs(2000), examples: [['<a href="https://a.example/?a=1&b=2">text</a>']] },
  )
})

test('no text is lost that sanitize-html keeps, and none is made, where tags are whole', () => {
  const names = [...kept, 'div', 'h1', 'table', 'form', 'img', 'center']
  const part = fc.oneof(
    fc.constantFrom(
      ...names.flatMap((name) => [`<${name}>`, `</${name}>`, `<${name} class="mention" lang=en>`]),
    ),
    fc.constantFrom(...dropped.slice(0, 3).map((name) => `<${name}>hidden</${name}>`)),
    fc.constantFrom('&lt;b&gt;', '&amp;amp;', '&eacute;', 'text', '1 > 0', '"', "'", '<!-- x -->', '日本'),
  )
  const whole = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''))
  const textOf = (html: string, options: IOptions = {}) =>
    theirs(html, { allowedTags: [], allowedAttributes: {}, nonTextTags: dropped, ...options }).replaceAll(
      /\s+/g,
      '',
    )
  fc.assert(
    fc.property(whole, (html) => {
      expect(textOf(sanitizeHtml(html))).toBe(textOf(html))
    }),
    { numRuns: runs(2000) },
  )
})
