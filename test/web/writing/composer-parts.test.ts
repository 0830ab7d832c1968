// What a post can be made of, in a browser: files that are dropped, pasted and photographed, sent again when they were
// refused; drafts of two devices; what the server offers besides.
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { setSetting } from '#domain/server/instance/settings.ts'
import { blackPng } from '#test/files/media-files.ts'
import type { Person } from '#test/people/people.ts'
import { describeWeb } from '#test/web/web.ts'

const form = (page: Page) => page.getByRole('form', { name: 'New post' })
const text = (page: Page) => form(page).getByRole('textbox', { name: 'What is on your mind?' })
const descriptions = (page: Page) => form(page).getByRole('textbox', { name: 'Description' })
const press = (page: Page, name: string) => form(page).getByRole('button', { name, exact: true }).click()
const file = (name: string) => ({ name, mimeType: 'image/png', buffer: Buffer.from(blackPng(300, 200)) })

async function choose(page: Page, item: string): Promise<void> {
  await press(page, 'More options')
  await page.getByRole('menuitem', { name: item }).click()
}

/** Has the browser do what it does when a picture is let go above the text, or pasted into it. */
const give = (page: Page, how: 'drop' | 'paste') =>
  page.evaluate(`(() => {
    const given = new DataTransfer()
    const bytes = Uint8Array.from(atob('${file('').buffer.toString('base64')}'), (sign) => sign.charCodeAt(0))
    given.items.add(new File([bytes], '${how}.png', { type: 'image/png' }))
    const about = { bubbles: true, cancelable: true, dataTransfer: given, clipboardData: given }
    const event = '${how}' === 'drop' ? new DragEvent('drop', about) : new ClipboardEvent('paste', about)
    document.querySelector('form[data-composer] textarea').dispatchEvent(event)
  })()`)

async function published(page: Page, person: Person, words: string) {
  await press(page, 'Publish')
  await page.getByRole('article').filter({ hasText: words }).waitFor()
  const [status] = (await person.get(`/api/v1/accounts/${person.accountId}/statuses`)).ok()
  return status
}

/** What is wider than the window or the dialog that is open, and what is no more than a strip of letters. */
const unfit = `[...document.querySelectorAll('html, dialog[open], [role=menu], form[data-composer] *, main form *, dl *, nav *')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => {
    const { left, right, width } = one.getBoundingClientRect()
    const field = 'textarea, input:not([type=checkbox], [type=radio], [type=file]), select, dd'
    const isStrip = one.matches(field) && width < 120
    const isWide = one.matches('html, dialog') ? one.scrollWidth > one.clientWidth : left < -1 || right > innerWidth + 1
    return isWide || isStrip
  })
  .map((one) => one.outerHTML.slice(0, 120))`

describeWeb('parts of a post', (web) => {
  test('pictures are dropped, pasted and photographed, with the point that people look at', async () => {
    const wren = await web.app.person()
    const page = await web.open('/home', { as: wren })
    await text(page).fill('three pictures')
    await give(page, 'drop')
    await descriptions(page).nth(0).fill('dropped')
    await give(page, 'paste')
    await descriptions(page).nth(1).fill('pasted')
    const asked = page.waitForEvent('filechooser')
    await choose(page, 'Use the camera')
    const chooser = await asked
    expect(await chooser.element().getAttribute('capture')).toBe('environment')
    await chooser.setFiles(file('photographed.png'))
    await descriptions(page).nth(2).fill('photographed')
    await form(page).getByRole('button', { name: 'Preview and focus' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Preview and focus' })
    const { x, y, width, height } = (await dialog.locator('img').boundingBox()) ?? never()
    await page.mouse.click(x + width * 0.75, y + height * 0.25)
    await dialog.getByRole('slider', { name: 'From left to right' }).press('ArrowLeft')
    await dialog.getByRole('button', { name: 'Done' }).click()
    const status = await published(page, wren, 'three pictures')
    const made = status?.media_attachments.map(({ description, meta }) => [description, meta.focus ?? null])
    expect(made).toEqual([
      ['dropped', { x: 0.45, y: expect.closeTo(0.5, 1) }],
      ['pasted', null],
      ['photographed', null],
    ])
  })

  test('a file that is refused says why, keeps the post back, and is sent again when that is asked for', async () => {
    const wren = await web.app.person()
    const page = await web.open('/home', { as: wren })
    web.expectComplaints()
    await page.route('**/api/v2/media', (route) => route.fulfill({ status: 503, body: '{}' }), { times: 1 })
    await text(page).fill('sent again')
    await form(page).locator('input[type=file]').setInputFiles(file('a.png'))
    const problem = form(page).getByRole('alert')
    await problem.waitFor()
    expect(await form(page).getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true)
    await problem.getByRole('button', { name: 'Try again' }).click()
    await descriptions(page).fill('there now')
    expect((await published(page, wren, 'sent again'))?.media_attachments).toHaveLength(1)
  })

  test('what two devices make of a draft at the same time is kept twice, and told', async () => {
    const wren = await web.app.person()
    const page = await web.open('/home', { as: wren })
    const saved = page.waitForResponse((response) => /PUT/.test(response.request().method()))
    await text(page).fill('a thought')
    await saved
    const [draft] = (await wren.get('/api/v1/drafts')).ok()
    web.expectComplaints()
    await page.context().setOffline(true)
    await text(page).fill('a thought of here')
    const posts = [{ status: 'a thought of elsewhere' }]
    await wren.put(`/api/v1/drafts/${draft?.id}`, { version: draft?.version, posts })
    await page.context().setOffline(false)
    await page.getByRole('status').getByText('This draft was changed on another device').waitFor()
    expect(await text(page).inputValue()).toBe('a thought of here')
    const kept = (await wren.get('/api/v1/drafts')).ok().map((one) => one.posts[0]?.status)
    expect(kept.toSorted()).toEqual(['a thought of elsewhere', 'a thought of here'])
  })

  test('Markdown and posts for this server alone are offered where the server has them', async () => {
    await setSetting(web.app.ctx, 'markdown_statuses', true)
    await setSetting(web.app.ctx, 'local_only_statuses', true)
    const wren = await web.app.person()
    const page = await web.open('/home', { as: wren })
    await text(page).fill('**bold** words')
    await choose(page, 'Write in Markdown')
    await press(page, 'Visibility')
    const dialog = page.getByRole('dialog', { name: 'Visibility' })
    await dialog.getByRole('checkbox', { name: 'Only people of this server' }).check()
    await dialog.getByRole('button', { name: 'Done' }).click()
    const status = await published(page, wren, 'bold words')
    expect(status).toMatchObject({
      content: '<p><strong>bold</strong> words</p>',
      local_only: true,
    })
  })

  test('what another window made of a draft stays a draft, and what is seen here is published at the second try', async () => {
    const wren = await web.app.person()
    const here = await web.open('/home', { as: wren })
    const saved = (page: Page) =>
      page.waitForResponse((answer) => /PUT/.test(answer.request().method()) && answer.ok())
    const first = saved(here)
    await text(here).fill('of this window')
    await first
    const there = await here.context().newPage()
    // As where it writes in the moment in which this one publishes.
    await there.addInitScript('BroadcastChannel.prototype.postMessage = () => {}')
    await there.goto(`${web.app.ctx.config.baseUrl}/home`)
    const second = saved(there)
    await text(there).fill('of that window')
    await second
    web.expectComplaints()
    await press(here, 'Publish')
    await here.getByRole('status').getByText('This draft was changed on another device').waitFor()
    const dialog = here.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await dialog.waitFor({ state: 'detached' })
    await here.getByRole('article').filter({ hasText: 'of this window' }).waitFor()
    const [status] = (await wren.get(`/api/v1/accounts/${wren.accountId}/statuses`)).ok()
    expect(status?.content).toBe('<p>of this window</p>')
    const kept = (await wren.get('/api/v1/drafts')).ok().map((one) => one.posts[0]?.status)
    expect(kept).toEqual(['of that window'])
  })

  test('letters of twice the size leave all of it inside a phone', async () => {
    const wren = await web.app.person()
    const page = await web.open('/home', { as: wren, viewport: { width: 390, height: 844 } })
    await text(page).waitFor()
    const enlarge = () => page.evaluate(`document.documentElement.style.fontSize = '200%'`)
    const found: Record<string, unknown> = {}
    const look = async (name: string) => (found[name] = await page.evaluate(unfit))
    await enlarge()
    await press(page, 'Add poll')
    for (const option of [1, 2])
      await form(page)
        .getByRole('textbox', { name: `Option ${option}` })
        .fill('twice')
    await look('poll')
    await press(page, 'More options')
    await page.getByRole('menuitem', { name: 'Publish later' }).waitFor()
    await look('menu')
    await page.getByRole('menuitem', { name: 'Publish later' }).click()
    await page.getByRole('dialog', { name: 'Publish later' }).waitFor()
    await look('schedule')
    await page.keyboard.press('Escape')
    await press(page, 'Add poll')
    await form(page).locator('input[type=file]').setInputFiles(file('a.png'))
    await descriptions(page).waitFor()
    await look('media')
    await wren.say('said before')
    await page.goto(`${web.app.ctx.config.baseUrl}/home`)
    await enlarge()
    const post = page.getByRole('article').filter({ hasText: 'said before' })
    await post.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Quote' }).click()
    await page.getByRole('dialog', { name: 'Quote' }).getByRole('button', { name: 'Publish' }).waitFor()
    await look('quote')
    for (const path of ['/search', '/statistics', '/settings']) {
      await page.goto(web.app.ctx.config.baseUrl + path)
      const searched = page.getByRole('searchbox').or(page.getByRole('navigation', { name: 'Months' }))
      await searched.first().waitFor()
      await enlarge()
      await look(path)
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])))
  })
})

function never(): never {
  throw new Error('It is not shown.')
}
