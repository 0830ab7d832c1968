import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { isNight } from '#test/run/night.ts'

const looks = [
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const

/** Axe takes most of the time: by day it looks at every third page in one of the two looks. */
const isForAxe = (name: string, look: number) => isNight || name.length % 6 === look

/** By how many pixels the page, or a dialog on it, is wider than what is seen of it. */
const farthest = `Math.max(...[...document.querySelectorAll('html, dialog[open]')]
  .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))`

/**
 * What axe finds on the page, wide and light or narrow and dark (at night both), and whether it or a dialog
 * on it is to be scrolled sideways in either. WEB_PICTURES=folder keeps what is seen.
 */
export async function findings(
  web: { axe(page: Page): Promise<string[]> },
  page: Page,
  name: string,
): Promise<string[]> {
  const found: string[] = []
  for (const [look, { colorScheme, ...size }] of looks.entries()) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    // What lies half below the head of the page is no smaller for that.
    await page.evaluate('scrollTo(0, 0)')
    if (isForAxe(name, look)) found.push(...(await web.axe(page)))
    const sideways = await page.evaluate(farthest)
    if (sideways !== 0) found.push(`${sideways} pixels to scroll sideways at ${size.width}`)
    const folder = process.env['WEB_PICTURES']
    if (folder === undefined) continue
    mkdirSync(folder, { recursive: true })
    await page.screenshot({ path: `${folder}/${name}-${size.width}.png` })
  }
  await page.emulateMedia({ colorScheme: null })
  return found
}
