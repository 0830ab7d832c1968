// Timelines beside each other in a browser.
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { patience } from '#test/run/patience.ts'
import { describeWeb } from '#test/web/web.ts'

const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const names = (page: Page) => page.locator('[data-column] h2').allInnerTexts()
const told = (page: Page, words: string) => page.getByRole('status').getByText(words).waitFor()

async function choose(page: Page, name: string, what: string): Promise<void> {
  await page.getByRole('button', { name: `Column ${name}` }).press('Enter')
  await page.getByRole('menuitem', { name: what }).press('Enter')
}

/** The post at the upper edge of a column at rest, and how far it is from it, in steps that rounding does not matter for. */
const topOf = async (page: Page, name: string) => {
  let last = await topNow(page, name)
  for (;;) {
    await page.evaluate(`new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))`)
    const now = await topNow(page, name)
    if (now.id === last.id && now.top === last.top) return now
    last = now
  }
}

const topNow = (page: Page, name: string) =>
  column(page, name)
    .getByRole('feed')
    .evaluate((feed: Part) => {
      const scroller = feed.closest('section > div')?.getBoundingClientRect().top ?? 0
      const posts = [...feed.querySelectorAll('article')]
      const first = posts.find((post) => post.getBoundingClientRect().bottom > scroller + 1)
      const top = first ? first.getBoundingClientRect().top - scroller : 0
      return { id: first?.getAttribute('data-anchor'), top: Math.round(top / 4) }
    })

interface Part {
  closest(path: string): Part | null
  querySelectorAll(path: string): Iterable<Part>
  getAttribute(name: string): string | null
  getBoundingClientRect(): { top: number; bottom: number }
}

describeWeb('columns', (web) => {
  test('of one’s choice stand beside each other, each with its own position, and are fed by one connection', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    const tag = `#larks_of_${robin.username}`
    await wren.follow(robin)
    await robin.say(`@${wren.username} for you alone`, { visibility: 'direct' })
    for (let count = 1; count <= 12; count++) await robin.say(`long ago ${count}${' and so on'.repeat(20)}`)
    await web.app.untilDone()
    const page = await (await web.context({ as: wren, viewport: { width: 1600, height: 900 } })).newPage()
    const sockets: string[] = []
    page.on('websocket', (socket) => sockets.push(socket.url()))
    await page.goto(`${web.app.ctx.config.baseUrl}/columns`)
    await column(page, 'Home').getByRole('article').first().waitFor()
    await column(page, 'This server').getByRole('article').first().waitFor()
    expect(await names(page)).toEqual(['Home', 'Notifications', 'This server'])
    await page.getByRole('button', { name: 'Add a column' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a column' })
    await dialog.getByRole('textbox', { name: 'Hashtag' }).fill(tag)
    await dialog.getByRole('button', { name: 'Add a hashtag' }).click()
    await column(page, tag).getByText('There is nothing here yet.').waitFor()
    expect(await web.axe(page)).toEqual([])

    await page.evaluate(`document.querySelector('[data-column=home] > div').scrollTo(0, 400)`)
    const before = await topOf(page, 'Home')
    expect(before.top).toBeLessThan(0)
    await robin.say(`right now ${tag}`)
    for (const name of ['Home', 'This server', tag])
      await column(page, name).getByRole('button', { name: '1 new post' }).waitFor()
    expect(sockets).toHaveLength(1)

    await choose(page, 'Home', 'Move back')
    await told(page, 'Home is column 2 of 4')
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Column Home')
    await expect.poll(() => topOf(page, 'Home'), { timeout: patience }).toEqual(before)
    await page.getByRole('region', { name: tag }).locator('header').dragTo(column(page, 'Notifications'))
    await told(page, `${tag} is column 1 of 4`)
    await choose(page, 'This server', 'Remove the column')
    await told(page, 'This server was removed')
    expect(await names(page)).toEqual([tag, 'Notifications', 'Home'])

    const kept = async () => (await wren.get('/api/v1/columns')).ok().columns.length
    await expect.poll(kept, { timeout: patience }).toBe(3)
    const other = await (await web.context({ as: wren })).newPage()
    // Minutes are shorter for it.
    await other.addInitScript(`{
      const every = setInterval
      globalThis.setInterval = (run, wait) => every(run, wait / 60)
    }`)
    await other.goto(`${web.app.ctx.config.baseUrl}/columns`)
    await column(other, tag).waitFor()
    expect(await names(other)).toEqual([tag, 'Notifications', 'Home'])

    for (const [button, field, words] of [
      ['Add a person', 'Handle', `@${robin.username}`],
      ['Add a search', 'Words to look for', 'long ago'],
    ] as const) {
      await page.getByRole('button', { name: 'Add a column' }).click()
      await dialog.getByRole('textbox', { name: field }).fill(words)
      await dialog.getByRole('button', { name: button }).click()
    }
    await page.getByRole('button', { name: 'Add a column' }).click()
    await dialog.getByRole('button', { name: 'Conversations' }).click()
    // The other page hears of it, without being looked at anew.
    await expect.poll(kept, { timeout: patience }).toBe(6)
    await web.app.untilDone()
    await column(other, 'Conversations').waitFor()
    await column(other, `@${robin.username}`).getByRole('article').first().waitFor()
    expect((await names(other)).slice(3)).toEqual([
      `@${robin.username}`,
      expect.stringContaining('long ago'),
      'Conversations',
    ])
    await column(other, 'Conversations').getByText('for you alone').waitFor()
    // What is looked for is looked for again: nothing streams it.
    const search = column(other, (await names(other))[4] ?? '')
    expect(await search.getByText('once more').count()).toBe(0)
    await wren.say('long ago, once more')
    await web.app.untilDone()
    await search.getByText('long ago, once more').waitFor()
    for (const name of [`@${robin.username}`, (await names(page))[4] as string, 'Conversations'])
      await choose(page, name, 'Remove the column')
    await expect.poll(kept, { timeout: patience }).toBe(3)
    await web.app.untilDone()
    await column(other, 'Conversations').waitFor({ state: 'detached' })

    const left = await topOf(page, 'Home')
    await page.reload()
    await expect.poll(() => topOf(page, 'Home').catch(() => null), { timeout: patience }).toEqual(left)
    expect(await names(page)).toEqual([tag, 'Notifications', 'Home'])
    await page.keyboard.press('3')
    const focused = `document.activeElement.closest('[data-column]').dataset.column`
    expect(await page.evaluate(focused)).toBe('home')

    await page.setViewportSize({ width: 390, height: 844 })
    const choice = page.getByRole('group', { name: 'Columns' })
    await choice.getByRole('button', { name: 'Home' }).click()
    await column(page, 'Home').getByRole('article').first().waitFor()
    expect(await names(page)).toEqual(['Home'])
    expect(await web.axe(page)).toEqual([])
  })
})
