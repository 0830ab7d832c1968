// What others write, as if all that cleans and checks it on the way in had failed.
import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'

/** What somebody could write so that something runs, or is fetched, in a browser. */
export const tricks = [
  '<img src=x onerror="globalThis.caught=1">',
  '<script>globalThis.caught=1</script>',
  '<svg onload="globalThis.caught=1"><a href="javascript:globalThis.caught=1">x</a></svg>',
  '<a href="javascript:globalThis.caught=1">click</a><a href="data:text/html,<script>1</script>">data</a>',
  '<iframe srcdoc="<script>parent.caught=1</script>"></iframe><math><mtext><style><img src=x onerror=caught=1></style>',
  '<form action="https://evil.example"><button formaction="javascript:caught=1">x</button></form><base href="//evil.example">',
  '<p style="background:url(https://evil.example/x)" onclick="globalThis.caught=1">styled</p><style>*{display:none}</style>',
  '"><script>globalThis.caught=1</script><!--',
]

export const javascript = 'javascript:globalThis.caught=1'

type Answers = Record<string, { body: unknown }>

/** Changes the answers that come along with the document at an address. */
export async function changeStart(
  context: BrowserContext,
  address: string,
  change: (answers: Answers) => void,
): Promise<void> {
  await context.route(address, async (route) => {
    const response = await route.fetch()
    const html = (await response.text()).replace(
      /(id="start">)([\s\S]*?)(<\/script>)/,
      (_, open, block, close) => {
        const start = JSON.parse(block) as { answers: Answers }
        change(start.answers)
        return open + JSON.stringify(start).replaceAll('<', '\\u003c') + close
      },
    )
    await route.fulfill({ response, body: html })
  })
}

/** Nothing has run, and nothing stands there that could. */
export async function expectHarmless(page: Page): Promise<void> {
  expect(await page.evaluate('globalThis.caught')).toBeUndefined()
  const dangerous = `[...document.querySelectorAll('main *')].flatMap((one) => [
    ...(/^(?:script|iframe|style|base|math|object)$/.test(one.localName) ? [one.localName] : []),
    ...one.getAttributeNames().filter((name) => /^(?:on|srcdoc|formaction)/.test(name)),
    ...(/^(?:javascript|data):/.test(one.getAttribute('href') ?? '') ? ['href'] : []),
  ])`
  expect(await page.evaluate(dangerous)).toEqual([])
}
