// Pictures in the whole window.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Json } from '#test/client/client.ts'
import { uploadForm } from '#test/client/upload.ts'
import { blackPng } from '#test/files/media-files.ts'
import { describeWeb } from '#test/web/web.ts'
import type { Person } from '#test/people/people.ts'

/** A finger on the middle of the window that goes so far. */
async function swipe(page: Page, x: number, y: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', share: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: 195 + x * share, y: 350 + y * share }],
    })
  await send('touchStart', 0)
  for (const share of [0.3, 0.6, 1]) await send('touchMove', share)
  await send('touchEnd', 1)
  await session.detach()
}

describeWeb('the media viewer', (web) => {
  async function upload(person: Person, file: Buffer, description: string): Promise<string> {
    return (await person.post('/api/v2/media', uploadForm(file, { description }))).ok().id
  }

  async function say(person: Person, description: string, width: number, height: number): Promise<Json> {
    const id = await upload(person, blackPng(width, height), description)
    return person.say(description, { media_ids: [id] })
  }

  /** Somebody has said something with pictures of these names. */
  async function saidWith(names: readonly string[]): Promise<Person> {
    const wren = await web.app.person()
    const ids = []
    for (const name of names) ids.push(await upload(wren, blackPng(400, 300), name))
    await wren.say('Pictures', { media_ids: ids })
    return wren
  }

  async function openPicture(page: Page, name: string) {
    await page.getByRole('button', { name: `Open: ${name}` }).click()
    const viewer = page.getByRole('dialog', { name: 'Picture 1 of 1' })
    await viewer.waitFor()
    return viewer
  }

  test('shows the whole of a tall picture, and of a wide one', async () => {
    const wren = await web.app.person()
    await say(wren, 'a tower', 300, 3000)
    await say(wren, 'a horizon', 3000, 300)
    const page = await web.open('/home', { as: wren, viewport: { width: 390, height: 844 } })
    for (const name of ['a tower', 'a horizon']) {
      const viewer = await openPicture(page, name)
      const picture = viewer.getByRole('img', { name })
      await expect.poll(async () => (await picture.boundingBox())?.height ?? 0).toBeGreaterThan(1)
      const box = await picture.boundingBox()
      expect([box && box.height <= 844, box && box.width <= 390]).toEqual([true, true])
      await viewer.getByRole('button', { name: 'Original size' }).click()
      await expect
        .poll(async () => Math.max(...Object.values((await picture.boundingBox()) ?? {})))
        .toBe(3000)
      await page.keyboard.press('Escape')
      await viewer.waitFor({ state: 'detached' })
    }
  })

  test('is closed by the browser’s way back, which gives the focus back and stays in the view', async () => {
    const wren = await web.app.person()
    await say(wren, 'a night', 640, 400)
    const page = await web.open('/home', { as: wren })
    const opener = page.getByRole('button', { name: 'Open: a night' }).and(page.locator(':focus'))
    for (const close of ['back', 'key', 'back'] as const) {
      const viewer = await openPicture(page, 'a night')
      await (close === 'back' ? page.evaluate('history.back()') : page.keyboard.press('Escape'))
      await viewer.waitFor({ state: 'detached' })
      await opener.waitFor()
      expect(new URL(page.url()).pathname).toBe('/home')
    }
  })

  test('leaves no entry of the history behind when its post vanishes or the page is loaded anew', async () => {
    const wren = await web.app.person()
    const post = await say(wren, 'a lamp', 640, 400)
    const page = await web.open('/bookmarks', { as: wren })
    await page.goto(`${web.app.ctx.config.baseUrl}/home`)
    await openPicture(page, 'a lamp')
    await page.reload()
    await page.getByRole('button', { name: 'Open: a lamp' }).waitFor()
    await page.goForward()
    const viewer = await openPicture(page, 'a lamp')
    ;(await wren.delete(`/api/v1/statuses/${post.id}`)).ok()
    await viewer.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('history.state?.isCover ?? false')).toBe(false)
    await page.goBack()
    await page.getByRole('heading', { name: 'Bookmarks' }).waitFor()
  })

  test('goes to the next picture by a swipe and to the one before, and is closed by one down', async () => {
    const wren = await saidWith(['first', 'second', 'third'])
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
    const page = await web.open('/home', { as: wren, ...phone })
    await page.getByRole('button', { name: 'Open: first' }).tap()
    const viewer = (number: number) => page.getByRole('dialog', { name: `Picture ${number} of 3` })
    await viewer(1).waitFor()
    for (const [x, y, shown] of [
      [-150, 10, 2],
      [-30, 0, 2],
      [150, -10, 1],
      [150, 0, 3],
      [10, -200, 3],
    ] as const) {
      await swipe(page, x, y)
      await viewer(shown).waitFor()
    }
    await page.getByRole('button', { name: 'Original size' }).tap()
    await swipe(page, -150, 0)
    await page.getByRole('button', { name: 'Original size' }).tap()
    await viewer(3).waitFor()
    await swipe(page, 10, 200)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/home')
  })

  test('is moved about in by the keyboard where a picture or its description has no room', async () => {
    const wren = await web.app.person()
    const words = 'A moor in the evening. '.repeat(60)
    const ids = [await upload(wren, blackPng(3000, 2400), words), await upload(wren, blackPng(9, 9), 'small')]
    await wren.say('Large', { media_ids: ids })
    const page = await web.open('/home', { as: wren, viewport: { width: 390, height: 844 } })
    await page.getByRole('button', { name: 'Open: A moor' }).click()
    const viewer = page.getByRole('dialog', { name: 'Picture 1 of 2' })
    const description = viewer.getByText('A moor').and(page.locator('[tabindex]'))
    await description.waitFor()
    await viewer.getByRole('button', { name: 'Original size' }).click()
    const stage = viewer.getByRole('group', { name: 'Original size' })
    await expect.poll(() => stage.evaluate((one: Json) => one.scrollWidth)).toBe(3000)
    expect(await web.axe(page)).toEqual([])
    await stage.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => stage.evaluate((one: Json) => one.scrollLeft)).toBeGreaterThan(0)
    await viewer.getByRole('button', { name: 'Next' }).focus()
    await page.keyboard.press('ArrowRight')
    const second = page.getByRole('dialog', { name: 'Picture 2 of 2' })
    await second.getByText('small').waitFor()
    expect(await second.locator('p[tabindex], [role=group]').count()).toBe(0)
  })

  test('says that a file is missing, in the post and in the viewer, and tries again', async () => {
    const wren = await saidWith(['a lost picture', 'one that is there'])
    web.expectComplaints()
    const context = await web.context({ as: wren })
    let isThere = false
    const [lost] = (await wren.get('/api/v1/timelines/home')).ok()[0].media_attachments
    for (const address of [lost.url, lost.preview_url])
      await context.route(address, (route) => (isThere ? route.continue() : route.fulfill({ status: 404 })))
    const page = await context.newPage()
    await page.goto(`${web.app.ctx.config.baseUrl}/home`)
    const words = 'This file cannot be loaded.'
    await page.getByRole('button', { name: `${words} a lost picture` }).click()
    const viewer = page.getByRole('dialog', { name: 'Picture 1 of 2' })
    await viewer.getByText(words).waitFor()
    expect(await web.axe(page)).toEqual([])
    isThere = true
    await viewer.getByRole('button', { name: 'Try again' }).click()
    await viewer.getByRole('img', { name: 'a lost picture' }).waitFor()
    expect(await viewer.getByText(words).count()).toBe(0)
  })
})
