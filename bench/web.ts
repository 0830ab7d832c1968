// The web app in a browser: node bench/web.ts [RUNS] [POSTS]. Cold and warm start of home to the first post, bytes by kind,
// requests, long tasks; then 2,000 posts scrolled through, with the times of frames and memory. `/about` is the floor: a page
// without scripts on the same server. `cpu`: milliseconds of a processor, which other work on the machine does not stretch
// as it does times. Wants Chromium (CHROMIUM, else Debian's). Prints tables, then one line of JSON.
import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from 'playwright-core'
import { quantile } from './kit/load.ts'
import { sessionName, sessionSecret } from './kit/session.ts'
import { withWebApp } from './kit/web-app.ts'

const runs = Number(process.argv[2] ?? 5)
const posts = Number(process.argv[3] ?? 2_000)

/** Notes when the first post, or the first heading, is there, and every task of more than 50 ms. */
const watch = `
  globalThis.seen = { first: null, longTasks: [] }
  new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) seen.longTasks.push(duration) })
    .observe({ type: 'longtask', buffered: true })
  const look = () => {
    if (seen.first === null && document.querySelector('article, main h1')) seen.first = performance.now()
    if (seen.first === null) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)`

interface Start {
  first: number
  requests: number
  scriptBytes: number
  styleBytes: number
  documentBytes: number
  otherBytes: number
  cpu: number
  cpuScript: number
  longTasks: number
}

const kinds: Readonly<Record<string, keyof Start>> = {
  Document: 'documentBytes',
  Script: 'scriptBytes',
  Stylesheet: 'styleBytes',
}

async function measureStart(page: Page, load: () => Promise<unknown>): Promise<Start> {
  const session = await page.context().newCDPSession(page)
  const start: Start = {
    first: 0,
    requests: 0,
    scriptBytes: 0,
    styleBytes: 0,
    documentBytes: 0,
    otherBytes: 0,
    cpu: 0,
    cpuScript: 0,
    longTasks: 0,
  }
  await countBytes(session, start)
  const used = await countCpu(session)
  await load()
  await page.waitForFunction('seen.first !== null')
  await page.waitForLoadState('networkidle')
  const { all, scripts } = await used()
  const seen = (await page.evaluate('seen')) as { first: number; longTasks: number[] }
  start.first = seen.first
  start.longTasks = seen.longTasks.reduce((sum, duration) => sum + duration, 0)
  start.cpu = all
  start.cpuScript = scripts
  await session.detach()
  return start
}

/** Returns what tells how much of a processor the page has used since, in milliseconds. */
async function countCpu(session: CDPSession) {
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const of = (wanted: string) => 1_000 * (metrics.find(({ name }) => name === wanted)?.value ?? 0)
    return { all: of('TaskDuration'), scripts: of('ScriptDuration') }
  }
  const before = await read()
  return async () => {
    const now = await read()
    return { all: now.all - before.all, scripts: now.scripts - before.scripts }
  }
}

async function countBytes(session: CDPSession, start: Start): Promise<void> {
  const types = new Map<string, string>()
  await session.send('Network.enable')
  session.on('Network.responseReceived', ({ requestId, type }) => void types.set(requestId, type))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    start.requests++
    start[kinds[types.get(requestId) ?? ''] ?? 'otherBytes'] += encodedDataLength
  })
}

async function newContext(browser: Browser, base: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en' })
  await context.addCookies([{ name: sessionName, value: sessionSecret, url: base }])
  await context.addInitScript(watch)
  return context
}

async function measureStarts(browser: Browser, base: string, path: string) {
  const cold: Start[] = []
  const warm: Start[] = []
  for (let run = 0; run < runs; run++) {
    const context = await newContext(browser, base)
    const page = await context.newPage()
    cold.push(await measureStart(page, () => page.goto(base + path)))
    warm.push(await measureStart(page, () => page.goto(base + path)))
    await context.close()
  }
  return [
    { page: `${path} cold`, ...medians(cold) },
    { page: `${path} warm`, ...medians(warm) },
  ]
}

const medians = (starts: readonly Start[]) =>
  Object.fromEntries(
    Object.keys(starts[0] ?? {}).map((name) => [
      name,
      Math.round(
        quantile(
          starts.map((start) => start[name as keyof Start]),
          0.5,
        ),
      ),
    ]),
  )

/** Scrolls until so many posts are there, as fast as pages come, and looks at each frame. */
async function measureScrolling(browser: Browser, base: string) {
  const context = await newContext(browser, base)
  const page = await context.newPage()
  await page.goto(`${base}/public`)
  const session = await context.newCDPSession(page)
  const used = await countCpu(session)
  // Those of the start are counted there.
  await page.evaluate('seen.longTasks.length = 0')
  const frames = (await page.evaluate(`new Promise((resolve) => {
    const times = []
    let before = performance.now()
    // Those that are far away are not built: what holds them names them.
    const countPosts = () => document.querySelectorAll('article').length +
      [...document.querySelectorAll('[data-holds]')].reduce((sum, { dataset }) => sum + dataset.holds.split(' ').length, 0)
    const step = (now) => {
      times.push(now - before)
      before = now
      if (countPosts() >= ${posts}) return resolve(times)
      scrollBy({ top: 240, behavior: 'instant' })
      requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  })`)) as number[]
  const { all: cpu } = await used()
  await session.send('HeapProfiler.collectGarbage')
  const heap = Number(await page.evaluate('performance.memory.usedJSHeapSize'))
  const { nodes } = await session.send('Memory.getDOMCounters')
  const longTasks = (await page.evaluate('seen.longTasks')) as number[]
  await context.close()
  return {
    frames: frames.length,
    frameP50: Math.round(quantile(frames, 0.5) * 10) / 10,
    frameP95: Math.round(quantile(frames, 0.95) * 10) / 10,
    frameP99: Math.round(quantile(frames, 0.99) * 10) / 10,
    over16: frames.filter((time) => time > 17).length,
    over50: frames.filter((time) => time > 50).length,
    cpuPerFrame: Math.round((cpu / frames.length) * 10) / 10,
    longTasks: longTasks.length,
    maxTaskMs: Math.round(Math.max(0, ...longTasks)),
    nodes,
    heapMB: Math.round(heap / 100_000) / 10,
  }
}

await withWebApp(async (base) => {
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--enable-precise-memory-info']
  const browser = await chromium.launch({ executablePath, args })
  const starts = [
    ...(await measureStarts(browser, base, '/home')),
    ...(await measureStarts(browser, base, '/about')),
  ]
  console.table(starts)
  const scrolling = await measureScrolling(browser, base)
  console.table([scrolling])
  await browser.close()
  console.log(JSON.stringify({ starts, scrolling }))
})
