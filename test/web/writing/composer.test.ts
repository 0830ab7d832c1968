// The composer in a browser: what is typed is kept, what is published goes out once.
import { expect, test } from 'vitest'
import type { BrowserContext, Page } from 'playwright-core'
import type { Person } from '#test/people/people.ts'
import { describeWeb } from '#test/web/web.ts'

const form = (page: Page) => page.getByRole('form', { name: 'New post' })
const text = (page: Page) => form(page).getByRole('textbox', { name: 'What is on your mind?' })
const press = (page: Page, name: string) => form(page).getByRole('button', { name, exact: true }).click()
const told = (page: Page, words: string) => page.getByRole('status').getByText(words).first().waitFor()

interface Field {
  value: string
}

/** Waits until this stands in the first field. */
const holds = (page: Page, words: string) =>
  page.waitForFunction((wanted) => {
    const { document } = globalThis as unknown as { document: { querySelector(path: string): Field | null } }
    return document.querySelector('form textarea')?.value === wanted
  }, words)

/** A red picture. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mNY7CyGFTEMLQkAwXA/AfGEbNsAAAAASUVORK5CYII=',
  'base64',
)
const file = (name = 'red.png') => ({ name, mimeType: 'image/png', buffer: picture })

const textsOf = async (person: Person) =>
  (await person.get(`/api/v1/accounts/${person.accountId}/statuses`)).ok().map(({ content }) => content)
const draftsOf = async (person: Person) => (await person.get('/api/v1/drafts')).ok()

/** The answer to what the page asks for next. */
const answerTo = (page: Page, method: string, path: RegExp) =>
  page.waitForResponse(
    (response) => response.request().method() === method && path.test(new URL(response.url()).pathname),
  )
const saved = (page: Page) => answerTo(page, 'PUT', /^\/api\/v1\/drafts\/\d+$/)
const sent = (page: Page) => answerTo(page, 'POST', /^\/api\/v1\/drafts\/\d+\/publish$/)

describeWeb('composer', (web) => {
  const again = async (context: BrowserContext, path = '/home') => {
    const page = await context.newPage()
    await page.goto(web.app.ctx.config.baseUrl + path)
    return page
  }

  test('what is typed is counted as the server counts it, and too much is not published', async () => {
    const wren = await web.app.person()
    const page = await web.open('/home', { as: wren })
    await text(page).fill(`see https://example.com/${'long/'.repeat(40)} @robin@remote.example 👨‍👩‍👧`)
    // "see ", 23 for the address, a space, "@robin", a space and one family.
    await form(page)
      .getByText(String(500 - 36), { exact: true })
      .waitFor()
    await press(page, 'Content warning')
    await form(page).getByRole('textbox', { name: 'Warning in front of the post' }).fill('ten signs!')
    await form(page)
      .getByText(String(500 - 46), { exact: true })
      .waitFor()
    await text(page).fill('x'.repeat(491))
    await form(page).getByText('-1', { exact: true }).waitFor()
    expect(await form(page).getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true)
  })

  test('a post waits some seconds, in which it can be taken back; then it is published', async () => {
    const wren = await web.app.person()
    const page = await web.open('/home', { as: wren })
    await text(page).fill('said too soon')
    await text(page).press('Control+Enter')
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await holds(page, 'said too soon')
    expect(await textsOf(wren)).toEqual([])
    await text(page).fill('said again')
    await press(page, 'Publish')
    await told(page, 'Publishing')
    await page.getByRole('article').filter({ hasText: 'said again' }).waitFor()
    expect(await textsOf(wren)).toEqual(['<p>said again</p>'])
    expect(await draftsOf(wren)).toEqual([])
  })

  test('what was typed is there after a reload, in a new window, and as a draft on the server', async () => {
    const wren = await web.app.person()
    const context = await web.context({ as: wren })
    const page = await again(context)
    const draft = saved(page)
    await text(page).fill('half a thought')
    await draft
    await page.reload()
    await holds(page, 'half a thought')
    const [kept] = await draftsOf(wren)
    expect(kept?.posts[0]?.status).toBe('half a thought')
    await page.close()
    const other = await again(context, '/publish')
    await holds(other, 'half a thought')
    await press(other, 'Publish')
    await sent(other)
    await other.getByRole('article').filter({ hasText: 'half a thought' }).waitFor()
    expect(await textsOf(wren)).toEqual(['<p>half a thought</p>'])
    expect(await draftsOf(wren)).toEqual([])
  })

  test('who may reply is chosen with the post, and shown and kept to where others would reply', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    const page = await web.open('/home', { as: wren })
    await text(page).fill('only for my followers to answer')
    await press(page, 'Visibility')
    const choice = page.getByRole('dialog', { name: 'Visibility' })
    const replies = choice.getByRole('group', { name: 'Who may reply' })
    await replies.getByRole('radio', { name: 'Followers' }).check()
    expect(await web.axe(page)).toEqual([])
    await choice.getByRole('button', { name: 'Done' }).click()
    await press(page, 'Publish')
    await page.getByRole('article').filter({ hasText: 'only for my followers' }).waitFor()
    const [status] = (await wren.get(`/api/v1/accounts/${wren.accountId}/statuses`)).ok()
    expect(status?.interaction_policy?.can_reply.always).toContain('followers')
    const there = await web.open(`/@${wren.username}/${status?.id}`, { as: robin })
    const reply = there.getByRole('article').getByRole('button', { name: 'Reply', exact: true })
    expect(await reply.getAttribute('aria-disabled')).toBe('true')
    await reply.press('Enter')
    await told(there, 'Only followers of the author may reply to this post.')
    await there.goto(`${web.app.ctx.config.baseUrl}/publish?in_reply_to_id=${status?.id}`)
    await form(there).getByRole('alert').getByText('Only followers of the author').waitFor()
    await text(there).fill('all the same')
    expect(await form(there).getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true)
    expect(await web.axe(there)).toEqual([])
  })

  test('a poll with the same option twice says so, and is not published', async () => {
    const wren = await web.app.person()
    const page = await web.open('/home', { as: wren })
    await form(page).getByRole('textbox', { name: 'What is on your mind?' }).fill('bread?')
    await form(page).getByRole('button', { name: 'Add poll' }).click()
    const option = (number: number) => form(page).getByRole('textbox', { name: `Option ${number}` })
    const publish = form(page).getByRole('button', { name: 'Publish', exact: true })
    await option(1).fill('rye')
    await option(2).fill(' rye')
    await form(page).getByText('An option above says the same.').waitFor()
    expect(await option(2).getAttribute('aria-invalid')).toBe('true')
    expect(await publish.isDisabled()).toBe(true)
    await option(2).fill('spelt')
    await form(page).getByText('An option above says the same.').waitFor({ state: 'detached' })
    expect(await publish.isDisabled()).toBe(false)
  })

  test('media are described before they are published, a poll excludes them', async () => {
    const wren = await web.app.person()
    const page = await web.open('/home', { as: wren })
    await text(page).fill('two pictures')
    await form(page)
      .locator('input[type=file]')
      .setInputFiles([file('one.png'), file('two.png')])
    const descriptions = form(page).getByRole('textbox', { name: 'Description' })
    await descriptions.nth(1).fill('the second one')
    expect(await form(page).getByRole('button', { name: 'Add poll' }).isDisabled()).toBe(true)
    await form(page).getByRole('button', { name: 'Move forward' }).nth(1).click()
    await press(page, 'Publish')
    const asked = page.getByRole('dialog', { name: 'Describe your media?' })
    await asked.getByText('One file has').waitFor()
    expect(await web.axe(page)).toEqual([])
    await asked.getByRole('button', { name: 'Add descriptions' }).click()
    await descriptions.nth(1).fill('the first one')
    await press(page, 'Publish')
    await page.getByRole('article').filter({ hasText: 'two pictures' }).waitFor()
    const [status] = (await wren.get(`/api/v1/accounts/${wren.accountId}/statuses`)).ok()
    expect(status?.media_attachments.map(({ description }) => description)).toEqual([
      'the second one',
      'the first one',
    ])
  })
})
