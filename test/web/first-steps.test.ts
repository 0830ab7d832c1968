// An empty server from the link that its start prints to the first post, in a browser and by the keyboard alone; then the
// first picture, of which a part is chosen.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { setUpToken } from '#domain/identity/accounts/registration/set-up.ts'
import { describeWeb } from '#test/web/web.ts'

/** Presses the Tab key until the focus is there. Nothing on a page is further away than that. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let count = 0; count < 150; count++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
  }
  throw new Error(`The Tab key does not lead to ${selector}`)
}

/** Left half red, right half blue. */
const picture = () =>
  sharp({ create: { width: 800, height: 400, channels: 3, background: '#d01010' } })
    .composite([
      {
        input: { create: { width: 400, height: 400, channels: 3, background: '#1010d0' } },
        left: 400,
        top: 0,
      },
    ])
    .png()
    .toBuffer()

describeWeb('an empty server', (web) => {
  // A server is empty once.
  test('is set up by the keyboard alone, and has its first post', { retry: 0, repeats: 0 }, async () => {
    const { ctx } = web.app
    const context = await web.context()
    const page = await context.newPage()
    await page.goto(`${ctx.config.baseUrl}/setup?token=${setUpToken(ctx.secrets)}`)
    const answers = {
      title: 'The Hedgerow',
      username: 'olga',
      email: 'olga@hedgerow.example',
      password: 'correct horse battery',
    }
    for (const name of await page.evaluate<string[]>(
      `[...document.querySelectorAll('form[action="/setup"] :is(input, textarea):not([type=hidden])')].map((one) => one.name)`,
    )) {
      if (!Object.hasOwn(answers, name)) continue
      await tabTo(page, `[name="${name}"]`)
      await page.keyboard.insertText(answers[name as keyof typeof answers])
    }
    await tabTo(page, 'form[action="/setup"] button[type="submit"]')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/setup/done')

    await page.goto(`${ctx.config.baseUrl}/publish`)
    await page.getByRole('textbox', { name: 'What is on your mind?' }).waitFor()
    await tabTo(page, 'form[data-composer] textarea')
    await page.keyboard.insertText('The first blackbird is here already.')
    await tabTo(page, 'form[data-composer] button[type="submit"]')
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: 'Published' }).waitFor()
    const told = async (path: string) => await (await web.app.fetch(path)).text()
    expect(await told('/api/v1/timelines/public?local=true')).toContain('The first blackbird')
    expect(await told('/api/v2/instance')).toContain('The Hedgerow')
  })

  test('lets its people choose the part of a picture that is shown', async () => {
    const wren = await web.app.person()
    const page = await web.open('/settings/profile', { as: wren })
    const group = page.getByRole('group', { name: 'Picture of you' })
    const file = { name: 'halves.png', mimeType: 'image/png', buffer: await picture() }
    await group.locator('input[type="file"]').setInputFiles(file)
    const across = group.getByRole('slider').nth(1)
    await across.focus()
    await page.keyboard.press('End')
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByRole('status').getByText('Saved').waitFor()
    const { avatar } = (await wren.get('/api/v1/accounts/verify_credentials')).ok()
    const bytes = Buffer.from(await (await web.app.fetch(new URL(avatar).pathname)).arrayBuffer())
    const { dominant } = await sharp(bytes).stats()
    expect(dominant.b).toBeGreaterThan(150)
    expect(dominant.r).toBeLessThan(60)
  })
})
