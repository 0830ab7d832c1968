// The app where it cannot start: what it is made of did not come.
import { expect, test } from 'vitest'
import type { Page, Route } from 'playwright-core'
import type { Person } from '#test/people/people.ts'
import { describeWeb, type OpenOptions } from '#test/web/web.ts'
import { readBuild } from '../../src/http/web/app/build.ts'

describeWeb('an app that does not start', (web) => {
  const texts = (language: string) => `**${readBuild()?.texts[language]}`
  const refuse = (route: Route) => route.abort('connectionrefused')

  /** A window in which something can be kept from coming before it goes to an address. */
  async function empty(as: Person, options: OpenOptions = {}): Promise<Page> {
    web.expectComplaints()
    return await (await web.context({ as, ...options })).newPage()
  }

  const goTo = (page: Page, path: string) => page.goto(web.app.ctx.config.baseUrl + path)

  test('for want of its texts says so in the language of the document, and is tried again', async () => {
    const page = await empty(await web.app.person(), { locale: 'de' })
    await page.route(texts('de'), (route) => route.fulfill({ status: 404 }))
    await goTo(page, '/search?q=heron')
    const alert = page.getByRole('alert')
    await alert.getByText('Die App konnte nicht geladen werden.').waitFor()
    expect(await web.axe(page)).toEqual([])
    await page.unroute(texts('de'))
    await alert.getByRole('button', { name: 'Noch einmal versuchen' }).click()
    await page.getByRole('searchbox').first().waitFor()
    expect(new URL(page.url()).search).toBe('?q=heron')
    expect(await alert.count()).toBe(0)
  })

  test('because the server was away is there when it is back', async () => {
    const page = await empty(await web.app.person())
    await page.route(texts('en'), refuse)
    await page.route('**/health', refuse)
    await goTo(page, '/home')
    await page.getByRole('alert').getByText('The app could not be loaded.').waitFor()
    await page.unroute(texts('en'))
    await page.unroute('**/health')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('for want of its script says so after a while, and is tried again', async () => {
    const page = await empty(await web.app.person())
    const script = `**${readBuild()?.script}`
    await page.route(script, refuse)
    await goTo(page, '/search?q=heron')
    const words = page.getByText('The app could not be loaded.')
    expect(await words.isVisible()).toBe(false)
    const session = await page.context().newCDPSession(page)
    await session.send('Animation.enable')
    await session.send('Animation.setPlaybackRate', { playbackRate: 1000 })
    await words.waitFor()
    await page.unroute(script)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('searchbox').first().waitFor()
    expect(new URL(page.url()).search).toBe('?q=heron')
  })

  test('because there are no scripts says only that', async () => {
    const page = await empty(await web.app.person(), { javaScriptEnabled: false })
    await goTo(page, '/home')
    await page.getByRole('link', { name: 'Read this page without them' }).waitFor()
    expect(await page.evaluate('getComputedStyle(document.getElementById("lost")).display')).toBe('none')
  })
})
