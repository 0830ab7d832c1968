import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'

const looks = [
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const

/**
 * What axe finds on the page, wide and light, narrow and dark, and whether it is to be scrolled sideways. WEB_PICTURES=folder keeps what
 * is seen.
 */
export async function findings(
  web: { axe(page: Page): Promise<string[]> },
  page: Page,
  name: string,
): Promise<string[]> {
  const found: string[] = []
  for (const { colorScheme, ...size } of looks) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    // What lies half below the head of the page is no smaller for that.
    await page.evaluate('scrollTo(0, 0)')
    found.push(...(await web.axe(page)))
    const sideways = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    if (sideways !== 0) found.push(`${sideways} pixels to scroll sideways at ${size.width}`)
    const folder = process.env['WEB_PICTURES']
    if (folder === undefined) continue
    mkdirSync(folder, { recursive: true })
    await page.screenshot({ path: `${folder}/${name}-${size.width}.png` })
  }
  await page.emulateMedia({ colorScheme: null })
  return found
}
