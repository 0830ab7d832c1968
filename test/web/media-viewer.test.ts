// Pictures in the whole window, and whether what is animated moves by itself.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { uploadForm } from '#test/client/upload.ts'
import { blackPng } from '#test/files/media-files.ts'
import { changeStart } from '#test/web/tricks.ts'
import { describeWeb } from '#test/web/web.ts'
import type { Person } from '#test/people/people.ts'

describeWeb('the media viewer', (web) => {
  async function say(person: Person, description: string, width: number, height: number): Promise<void> {
    const form = uploadForm(blackPng(width, height), { description })
    const { id } = (await person.post('/api/v2/media', form)).ok()
    await person.say(description, { media_ids: [id] })
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

  test('a banner moves by itself only where somebody wishes it and nothing asks for less motion', async () => {
    const wren = await web.app.person()
    // Of a document that did not come from the server the browser allows no stream.
    web.expectComplaints()
    for (const [wish, reducedMotion, shown] of [
      [false, 'no-preference', '/still.png'],
      [true, 'reduce', '/still.png'],
      [true, 'no-preference', '/moving.gif'],
    ] as const) {
      const context = await web.context({ as: wren, reducedMotion })
      await context.route(/still\.png|moving\.gif/, (route) =>
        route.fulfill({ body: blackPng(8, 8), contentType: 'image/png' }),
      )
      await changeStart(context, `**/@${wren.username}`, (answers) => {
        Object.assign(answers['/api/v1/preferences']?.body as object, { 'reading:autoplay:gifs': wish })
        const found = answers[`/api/v1/accounts/lookup?acct=${wren.username}`]
        Object.assign(found?.body as object, {
          header: '/moving.gif',
          header_static: '/still.png',
          header_description: 'A banner',
        })
      })
      const page = await context.newPage()
      await page.goto(`${web.app.ctx.config.baseUrl}/@${wren.username}`)
      const banner = page.getByRole('img', { name: 'A banner' })
      expect([wish, reducedMotion, await banner.getAttribute('src')]).toEqual([wish, reducedMotion, shown])
    }
  })
})
