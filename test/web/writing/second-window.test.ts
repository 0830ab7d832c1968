// What is written in two windows of a browser at once.
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { describeWeb } from '#test/web/web.ts'

/** Windows that do not hear of each other, as when both write in the same moment. */
const deaf = 'BroadcastChannel.prototype.postMessage = () => {}'

describeWeb('a second window', (web) => {
  const text = (page: Page) => page.getByRole('textbox', { name: 'What is on your mind?' })

  async function openTwo(script?: string) {
    const wren = await web.app.person()
    const context = await web.context({ as: wren })
    if (script !== undefined) await context.addInitScript(script)
    const open = async () => {
      const page = await context.newPage()
      await page.goto(`${web.app.ctx.config.baseUrl}/publish`)
      await text(page).waitFor()
      return page
    }
    const drafts = async () => {
      const found = (await wren.get('/api/v1/drafts')).ok() as { posts: { status: string }[] }[]
      return found.map(({ posts: [first] }) => first?.status).toSorted()
    }
    return { wren, one: await open(), other: await open(), drafts }
  }
  const value = (page: Page) => text(page).inputValue()

  test('follows what is written in the first one, and its end there', async () => {
    const { wren, one, other, drafts } = await openTwo()
    await text(one).fill('half')
    await expect.poll(() => value(other)).toBe('half')
    await expect.poll(drafts).toEqual(['half'])
    await text(other).fill('half a thought')
    await expect.poll(() => value(one)).toBe('half a thought')
    await expect.poll(drafts).toEqual(['half a thought'])
    await one.getByRole('button', { name: 'Publish' }).click()
    await expect.poll(() => value(other)).toBe('')
    await expect
      .poll(async () => (await wren.get(`/api/v1/accounts/${wren.accountId}/statuses`)).ok().length)
      .toBe(1)
    expect(await drafts()).toEqual([])
  })

  test('never writes over what the first one has written meanwhile', async () => {
    const { one, other, drafts } = await openTwo(deaf)
    await text(one).fill('of the one')
    await expect.poll(drafts).toEqual(['of the one'])
    await text(other).fill('of the other')
    await other.getByRole('status').getByText('This draft was changed').waitFor()
    await text(other).fill('of the other as well')
    await expect.poll(drafts).toEqual(['of the one', 'of the other as well'])
    await one.reload()
    await text(one).waitFor()
    expect(await value(one)).toBe('of the one')
    await other.getByRole('button', { name: 'Publish' }).click()
    await expect.poll(drafts).toEqual(['of the one'])
    await one.reload()
    await text(one).waitFor()
    expect(await value(one)).toBe('of the one')
  })
})
