// What axe finds on a page.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { CDPSession, Page } from 'playwright-core'

interface Violation {
  id: string
  nodes: { target: unknown[]; failureSummary?: string }[]
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Everything that axe knows, `best-practice` included, and what it leaves out by default of WCAG 2.2. */
const options = {
  resultTypes: ['violations'],
  rules: { 'target-size': { enabled: true } },
}

type Rules = Record<string, { enabled: boolean }>

/** Leaves out what is about colours and sizes, which all pages have from the same stylesheet: half of what axe takes. */
export const withoutLooks: Rules = { 'color-contrast': { enabled: false }, 'target-size': { enabled: false } }

/** Where axe is on a page: it holds until the page shows another document. */
interface Place {
  session: CDPSession
  contextId: number
}

const places = new WeakMap<Page, Place>()

/**
 * Returns a line for each finding: the rule, where, and what it says. In a world of its own, where no policy holds.
 * `rules` leaves some out.
 */
export async function findViolations(page: Page, rules: Rules = {}): Promise<string[]> {
  const known = places.get(page)
  const violations =
    (known && (await run(known, rules))) ?? (await run(await bringAxe(page, known?.session), rules))
  if (!violations) throw new Error('axe does not run on the page')
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) =>
        `${id}: ${target.join(' ')} ${failureSummary.replaceAll(/\s+/g, ' ')}`,
    ),
  )
}

async function bringAxe(page: Page, known: CDPSession | undefined): Promise<Place> {
  const session = known ?? (await page.context().newCDPSession(page))
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  })
  await session.send('Runtime.evaluate', { contextId, expression: source })
  const place = { session, contextId }
  places.set(page, place)
  return place
}

/** Null where axe is not, or is no more. */
async function run({ session, contextId }: Place, more: Rules): Promise<Violation[] | null> {
  const asOptions = JSON.stringify({ ...options, rules: { ...options.rules, ...more } })
  const expression = `globalThis.axe ? axe.run(document, ${asOptions}).then(({ violations }) => violations.map(
    ({ id, nodes }) => ({ id, nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })) }))) : null`
  const asked = { contextId, expression, awaitPromise: true, returnByValue: true }
  const answer = await session.send('Runtime.evaluate', asked).catch((error: Error) => {
    if (/Cannot find context|context was destroyed/i.test(error.message)) return null
    throw error
  })
  if (!answer) return null
  if (answer.exceptionDetails)
    throw new Error(`axe failed: ${answer.exceptionDetails.exception?.description}`)
  return answer.result.value as Violation[] | null
}
