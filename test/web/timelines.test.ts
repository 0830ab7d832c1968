// Timelines in a browser: what came with the document, what comes by itself, what is done with posts.
import { expect, test } from 'vitest'
import { describeWeb } from '#test/web/web.ts'

describeWeb('timelines', (web) => {
  test('the first timeline is shown from what came with the document, without a question to the API', async () => {
    const wren = await web.app.person()
    await wren.say('the first thing that is seen')
    const context = await web.context({ as: wren })
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${web.app.ctx.config.baseUrl}/home`)
    const post = page.getByRole('feed', { name: 'Home' }).getByRole('article').first()
    expect(await post.textContent()).toContain('the first thing that is seen')
    expect(asked.filter((path) => path.startsWith('/api/v1/timelines'))).toEqual([])
    expect(asked.length).toBeLessThanOrEqual(12)
  })

  test('the address of the server leads people who are signed in to their home, and strangers to the front page', async () => {
    const wren = await web.app.person()
    const page = await web.open('/', { as: wren })
    expect(new URL(page.url()).pathname).toBe('/home')
    const strange = await web.open('/')
    expect(new URL(strange.url()).pathname).toBe('/')
    await strange.getByRole('link', { name: 'Sign in' }).first().waitFor()
  })

  test('a post is favourited, boosted and bookmarked by its buttons, which stay down', async () => {
    const wren = await web.app.person()
    const said = await wren.say('press me')
    const page = await web.open('/home', { as: wren })
    const post = page.getByRole('article').filter({ hasText: 'press me' })
    for (const name of ['Boost', 'Favourite', 'Bookmark']) {
      const button = post.getByRole('button', { name, exact: true })
      const answered = page.waitForResponse((response) => response.request().method() === 'POST')
      await button.click()
      await button.and(page.locator('[aria-pressed=true]')).waitFor()
      await answered
    }
    const status = await wren.get(`/api/v1/statuses/${said.id}`)
    expect(status.ok()).toMatchObject({ reblogged: true, favourited: true, bookmarked: true })
  })

  test('a refused action is taken back and said in words', async () => {
    const wren = await web.app.person()
    const said = await wren.say('gone in a moment')
    const page = await web.open('/home', { as: wren })
    web.expectComplaints()
    const button = page.getByRole('article').getByRole('button', { name: 'Favourite', exact: true })
    await page.route(`**/api/v1/statuses/${said.id}/favourite`, (route) =>
      route.fulfill({ status: 422, json: { error: 'Not this one' } }),
    )
    await button.click()
    await page.getByRole('status').getByText('Not this one').waitFor()
    expect(await button.getAttribute('aria-pressed')).toBe('false')
  })

  test('what others post waits above until it is asked for', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    await wren.follow(robin)
    await wren.say('an old post')
    const page = await web.open('/home', { as: wren })
    await page.getByText('an old post').waitFor()
    await robin.say('a new post')
    const waiting = page.getByRole('status').getByRole('button', { name: '1 new post' })
    await waiting.waitFor()
    expect(await page.getByText('a new post').count()).toBe(0)
    await waiting.click()
    await page.getByRole('article').filter({ hasText: 'a new post' }).waitFor()
  })

  test('a post is published once, and stands at the top at once', async () => {
    const wren = await web.app.person()
    const page = await web.open('/home', { as: wren })
    const form = page.getByRole('form', { name: 'New post' })
    await form.getByRole('textbox', { name: 'What is on your mind?' }).fill('written in the app')
    await form.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('article').filter({ hasText: 'written in the app' }).waitFor()
    const statuses = await wren.get(`/api/v1/accounts/${wren.accountId}/statuses`)
    expect(statuses.ok().map(({ content }) => content)).toEqual(['<p>written in the app</p>'])
  })

  test('speaks the language of the browser, and is laid out from the right where that is read so', async () => {
    const wren = await web.app.person()
    await wren.say('ein Beitrag')
    const page = await web.open('/home', { as: wren, locale: 'de', viewport: { width: 1280, height: 800 } })
    await page.getByRole('feed', { name: 'Startseite' }).getByRole('article').first().waitFor()
    expect(await page.getAttribute('html', 'lang')).toBe('de')
    await page.evaluate("document.documentElement.dir = 'rtl'")
    const [navigation, main] = await Promise.all([
      page.getByRole('navigation', { name: 'Hauptmenü' }).boundingBox(),
      page.getByRole('main').boundingBox(),
    ])
    expect(navigation?.x ?? 0).toBeGreaterThan(main?.x ?? 0)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  })

  test('every timeline is a feed with its name, and nothing stops a screen reader, wide and narrow', async () => {
    const wren = await web.app.person()
    await wren.say('a post with a #tag')
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [390, 'dark'],
    ] as const) {
      const page = await web.open('/home', { as: wren, viewport: { width, height: 844 }, colorScheme })
      await page.getByRole('feed', { name: 'Home' }).getByRole('article').first().waitFor()
      expect(await web.axe(page)).toEqual([])
      const sideways = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      expect(await page.evaluate(sideways)).toBe(0)
    }
  })
})
