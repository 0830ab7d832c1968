// The browser of the tests. The headless shell takes half of what the whole browser takes for a page, and has no
// notifications.
import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'
import { describe } from 'vitest'

const isCi = process.env['CI'] === 'true'
export type BrowserKind = 'shell' | 'whole'

const whole = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser']
const programs: Record<BrowserKind, string | undefined> = {
  shell: [process.env['CHROMIUM'], '/usr/bin/chromium-headless-shell', ...whole].find(isThere),
  whole: whole.find(isThere),
}

function isThere(path: string | undefined): boolean {
  return path !== undefined && existsSync(path)
}

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
export function describeInBrowser(title: string, work: () => void, kind: BrowserKind = 'shell'): void {
  const program = programs[kind]
  describe.skipIf(!program && !isCi)(
    program ? title : `${title} (skipped: chromium is not installed)`,
    () => {
      work()
    },
  )
}

/** Starts a browser, which whoever starts it closes. */
export async function launchBrowser(kind: BrowserKind = 'shell'): Promise<Browser> {
  const executablePath = programs[kind]
  if (!executablePath)
    throw new Error(
      'CI=true needs chromium and chromium-headless-shell: install them or set CHROMIUM to the path of a Chromium',
    )
  return chromium.launch({ executablePath, args })
}
