// What axe finds on a page.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

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

/** Returns a line for each finding: the rule, where, and what it says. In a world of its own, where no policy holds. */
export async function findViolations(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  })
  await session.send('Runtime.evaluate', { contextId, expression: source })
  const run = await session.send('Runtime.evaluate', {
    contextId,
    expression: `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.map(
      ({ id, nodes }) => ({ id, nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })) })))`,
    awaitPromise: true,
    returnByValue: true,
  })
  await session.detach()
  return (run.result.value as Violation[]).flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) =>
        `${id}: ${target.join(' ')} ${failureSummary.replaceAll(/\s+/g, ' ')}`,
    ),
  )
}
