// Pages as wide as 320 CSS pixels, in languages with long words and from right to left: nothing is cut off, and nothing but
// the page is to be scrolled (https://www.w3.org/WAI/WCAG22/Understanding/reflow.html).
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { describeWeb } from '#test/web/web.ts'

/** What is cut off or to be scrolled sideways, by what it says. Fields are scrolled by what is typed, and tables as they are. */
const tooWide = `[document.documentElement, ...document.querySelectorAll('body *:not(input, textarea, table)')]
  .filter((one) => one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1)
  .filter((one) => one.matches('html') || getComputedStyle(one).overflowX !== 'visible')
  .map((one) => one.tagName + ' ' + one.textContent.trim().slice(0, 40))`

describeWeb('a page that is 320 pixels wide', (web) => {
  async function openIn(language: string) {
    const wren = await web.app.person()
    const robin = await web.app.person()
    await robin.say(`@${wren.username} Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz`)
    await web.app.untilDone()
    const page = await web.open('/settings/preferences/appearance', {
      as: wren,
      viewport: { width: 320, height: 700 },
    })
    await page.getByRole('combobox', { name: 'Language', exact: true }).selectOption(language)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').waitFor()
    return { wren, robin, page }
  }

  async function tooWideOn(page: Page, path: string): Promise<string[]> {
    await page.goto(web.app.ctx.config.baseUrl + path)
    await page.locator('main h1').first().waitFor()
    return (await page.evaluate<string[]>(tooWide)).map((what) => `${path}: ${what}`)
  }

  for (const language of ['de', 'ar'])
    test(`holds all of its texts in ${language}`, async () => {
      const { robin, page } = await openIn(language)
      const found: string[] = []
      for (const path of [
        '/explore',
        '/notifications',
        `/@${robin.username}`,
        '/mutes',
        '/catch_up',
        '/settings',
      ])
        found.push(...(await tooWideOn(page, path)))
      expect(found).toEqual([])
    })

  test("has what is one's own in one line at the head of the settings, in German", async () => {
    const { page } = await openIn('de')
    const menu = page.getByRole('navigation', { name: 'Menü' })
    const [link, button] = [
      menu.getByRole('link', { name: 'Einstellungen' }),
      menu.getByRole('button', { name: 'Abmelden' }),
    ]
    const middles = await Promise.all(
      [link, button].map(async (one) => {
        const { y = 0, height = 0 } = (await one.boundingBox()) ?? {}
        return Math.round(y + height / 2)
      }),
    )
    expect(Math.abs((middles[0] ?? 0) - (middles[1] ?? 9))).toBeLessThan(4)
    await page.getByRole('link', { name: web.app.ctx.config.localDomain }).waitFor()
  })
})
