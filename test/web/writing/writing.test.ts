// Everything a post can be: threads, replies, quotes, edits, polls, without a network, later.
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import type { Person } from '#test/people/people.ts'
import { describeWeb } from '#test/web/web.ts'

const form = (page: Page) => page.getByRole('form', { name: 'New post' })
const text = (page: Page) => form(page).getByRole('textbox', { name: 'What is on your mind?' })
const publish = (page: Page) => form(page).getByRole('button', { name: 'Publish' }).click()
const article = (page: Page, words: string) => page.getByRole('article').filter({ hasText: words }).first()

const statusesOf = async (person: Person) =>
  (await person.get(`/api/v1/accounts/${person.accountId}/statuses`)).ok()

async function choose(page: Page, words: string, item: string): Promise<void> {
  await article(page, words).getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

describeWeb('writing', (web) => {
  test('several posts go out as a thread, by keyboard alone', async () => {
    const wren = await web.app.person()
    const page = await web.open('/home', { as: wren })
    await text(page).waitFor()
    await page.keyboard.press('n')
    await page.keyboard.type('the first of two')
    await form(page).getByRole('button', { name: 'Add a post to the thread' }).press('Enter')
    await form(page).getByRole('textbox', { name: 'Go on (post 2)' }).waitFor()
    await page.keyboard.type('the second of two')
    await page.keyboard.press('Control+Enter')
    await article(page, 'the second of two').waitFor()
    const [second, first] = await statusesOf(wren)
    expect([first?.content, second?.content]).toEqual(['<p>the first of two</p>', '<p>the second of two</p>'])
    expect(second?.in_reply_to_id).toBe(first?.id)
  })

  test('a reply names who is answered and is seen by no more people than the post', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    await wren.follow(robin)
    const said = await robin.say('answer me quietly', { visibility: 'unlisted' })
    const page = await web.open('/home', { as: wren })
    await article(page, 'answer me quietly').getByRole('button', { name: 'Reply' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reply' })
    const field = dialog.getByRole('textbox', { name: 'What is on your mind?' })
    await field.waitFor()
    expect(await field.inputValue()).toBe(`@${robin.username} `)
    expect(await web.axe(page)).toEqual([])
    await field.pressSequentially('gladly')
    // Closed and opened again, it goes on where it was.
    await page.keyboard.press('Escape')
    await page.getByRole('status').getByText('Kept as a draft').waitFor()
    await article(page, 'answer me quietly').getByRole('button', { name: 'Reply' }).click()
    await field.waitFor()
    expect(await field.inputValue()).toBe(`@${robin.username} gladly`)
    await field.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('status').getByText('Published', { exact: true }).waitFor()
    const [reply] = await statusesOf(wren)
    expect(reply).toMatchObject({ in_reply_to_id: said.id, visibility: 'unlisted' })
  })

  test('a post is edited, quoted, and deleted to be written anew', async () => {
    const wren = await web.app.person()
    await wren.say('as it was')
    const page = await web.open('/home', { as: wren })
    await choose(page, 'as it was', 'Edit')
    const edit = page.getByRole('dialog', { name: 'Edit post' })
    await edit.getByRole('textbox').fill('as it is')
    await edit.getByRole('button', { name: 'Publish' }).click()
    await article(page, 'as it is').waitFor()
    await edit.waitFor({ state: 'detached' })
    await choose(page, 'as it is', 'Quote')
    const quote = page.getByRole('dialog', { name: 'Quote' })
    await quote.getByRole('region', { name: 'Quoted post' }).getByText('as it is').waitFor()
    await quote.getByRole('textbox').fill('what a post')
    await quote.getByRole('button', { name: 'Publish' }).click()
    await article(page, 'what a post').waitFor()
    const [quoting, quoted] = await statusesOf(wren)
    expect(quoted).toMatchObject({ content: '<p>as it is</p>' })
    expect(quoting?.quote?.quoted_status?.id).toBe(quoted?.id)
    await choose(page, 'what a post', 'Delete and redraft')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete and redraft' }).click()
    const anew = page.getByRole('dialog', { name: 'New post' })
    await anew.getByRole('region', { name: 'Quoted post' }).getByText('as it is').waitFor()
    expect(await anew.getByRole('textbox').inputValue()).toBe('what a post')
    expect((await statusesOf(wren)).length).toBe(1)
  })

  test('mentions, tags and emoji are completed by keys', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    const page = await web.open('/publish', { as: wren })
    await text(page).pressSequentially(`hello @${robin.username.slice(0, -1)}`)
    const options = form(page).getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
    await options.filter({ hasText: robin.username }).first().waitFor()
    expect(await web.axe(page)).toEqual([])
    while (
      !(await options.and(page.locator('[aria-selected=true]')).textContent())?.includes(`@${robin.username}`)
    )
      await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await text(page).inputValue()).toBe(`hello @${robin.username} `)
    await text(page).pressSequentially(':hedgeho')
    await options.filter({ hasText: 'hedgehog' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await text(page).inputValue()).toBe(`hello @${robin.username} 🦔 `)
    await form(page).getByRole('button', { name: 'Emoji' }).click()
    const picker = page.getByRole('dialog', { name: 'Emoji' })
    await picker.getByRole('searchbox', { name: 'Search emoji' }).fill('owl')
    await picker.getByRole('button', { name: 'owl', exact: true }).click()
    expect(await text(page).inputValue()).toContain('🦉')
  })

  test('a poll, who sees it and its language are published as they were chosen', async () => {
    const wren = await web.app.person()
    const page = await web.open('/publish', {
      as: wren,
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    })
    await text(page).fill('Welche Farbe hat die Nacht?')
    await form(page).getByRole('button', { name: 'Add poll' }).click()
    await form(page).getByRole('textbox', { name: 'Option 1' }).fill('schwarz')
    await form(page).getByRole('textbox', { name: 'Option 2' }).fill('blau')
    await form(page).getByRole('button', { name: 'Language' }).click()
    const languages = page.getByRole('dialog', { name: 'Language' })
    await languages.getByRole('searchbox').fill('German')
    await languages.getByRole('button', { name: 'German de', exact: true }).click()
    await form(page).getByRole('button', { name: 'Visibility' }).click()
    const visibility = page.getByRole('dialog', { name: 'Visibility' })
    await visibility.getByRole('radio', { name: 'Followers' }).first().check()
    expect(await web.axe(page)).toEqual([])
    await visibility.getByRole('button', { name: 'Done' }).click()
    expect(await web.axe(page)).toEqual([])
    const sideways = () => {
      const { document } = globalThis as unknown as {
        document: { documentElement: { scrollWidth: number; clientWidth: number } }
      }
      return document.documentElement.scrollWidth - document.documentElement.clientWidth
    }
    expect(await page.evaluate(sideways)).toBe(0)
    await publish(page)
    await article(page, 'Welche Farbe').waitFor()
    const [status] = await statusesOf(wren)
    expect(status).toMatchObject({ language: 'de', visibility: 'private' })
    expect(status?.poll?.options.map(({ title }) => title)).toEqual(['schwarz', 'blau'])
  })

  test('a post that is written without a network waits, and goes out once', async () => {
    const wren = await web.app.person()
    const context = await web.context({ as: wren })
    const page = await context.newPage()
    await page.goto(`${web.app.ctx.config.baseUrl}/home`)
    await text(page).waitFor()
    web.expectComplaints()
    await context.setOffline(true)
    await text(page).fill('written in a tunnel')
    await publish(page)
    await page.getByRole('status').getByText('the post waits').waitFor()
    expect(await statusesOf(wren)).toEqual([])
    await context.setOffline(false)
    await article(page, 'written in a tunnel').waitFor()
    await page.reload()
    await article(page, 'written in a tunnel').waitFor()
    expect((await statusesOf(wren)).length).toBe(1)
  })

  test('what another program shares is a draft that can be scheduled, moved and cancelled', async () => {
    const wren = await web.app.person()
    const page = await web.open('/share?title=A+title&url=https%3A%2F%2Fexample.com%2Fa', { as: wren })
    expect(await text(page).inputValue()).toBe('A title\n\nhttps://example.com/a')
    await form(page).getByRole('button', { name: 'More options' }).click()
    await page.getByRole('menuitem', { name: 'Publish later' }).click()
    const later = page.getByRole('dialog', { name: 'Publish later' })
    await later.getByLabel('Day and time').fill('2099-01-02T03:04')
    await later.getByRole('button', { name: 'Done' }).click()
    await form(page).getByText('To be published').waitFor()
    await publish(page)
    await page.getByRole('status').getByText('published later').waitFor()
    await page.goto(`${web.app.ctx.config.baseUrl}/scheduled`)
    const list = page.getByRole('list', { name: 'Scheduled posts' })
    await list.getByText('A title').waitFor()
    expect(await web.axe(page)).toEqual([])
    await list.getByRole('button', { name: 'Do not publish' }).click()
    await page.getByText('No post is scheduled.').waitFor()
    await page.getByRole('status').getByText('It will not be published.').waitFor()
    expect((await wren.get('/api/v1/scheduled_statuses')).ok()).toEqual([])
  })

  test('drafts of all devices are listed as they are written, go on here, and are thrown away', async () => {
    const wren = await web.app.person()
    const page = await web.open('/drafts', { as: wren })
    await page.getByText('There are no drafts.').waitFor()
    await page.waitForLoadState('networkidle')
    const made = await wren.post('/api/v1/drafts', { posts: [{ status: 'begun on a phone' }] })
    const list = page.getByRole('list', { name: 'Drafts' })
    await list.getByText('begun on a phone').waitFor()
    expect(await web.axe(page)).toEqual([])
    await list.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'New post' })
    const field = dialog.getByRole('textbox', { name: 'What is on your mind?' })
    await field.waitFor()
    expect(await field.inputValue()).toBe('begun on a phone')
    await field.fill('ended at a desk')
    await page.keyboard.press('Escape')
    await list.getByText('ended at a desk').waitFor()
    expect((await wren.get('/api/v1/drafts')).ok().map(({ id }) => id)).toEqual([made.ok().id])
    await list.getByRole('button', { name: 'Discard' }).click()
    await page.getByText('There are no drafts.').waitFor()
  })
})
