// The browser of the tests. The headless shell takes half of what the whole browser takes for a page.
import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'
import { describe } from 'vitest'

const isCi = process.env['CI'] === 'true'
const executable = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
].find((path) => path && existsSync(path))

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  // Pages live for seconds: what is compiled once is kept for the next one, and none lives long enough for machine code
  // to be worth its making.
  '--js-flags=--no-flush-bytecode,--no-opt,--no-maglev',
]

/** `describe` with a browser; skipped where there is none, which in continuous integration fails. */
export function describeInBrowser(title: string, work: () => void): void {
  describe.skipIf(!executable && !isCi)(
    executable ? title : `${title} (skipped: chromium is not installed)`,
    () => {
      work()
    },
  )
}

/** Starts a browser, which whoever starts it closes. */
export async function launchBrowser(): Promise<Browser> {
  if (!executable)
    throw new Error(
      'CI=true needs chromium-headless-shell: install it or set CHROMIUM to the path of a Chromium',
    )
  return chromium.launch({ executablePath: executable, args })
}
