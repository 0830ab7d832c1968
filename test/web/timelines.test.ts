// Timelines in a browser: what came with the document, what comes by itself, what is done with posts.
import { expect, test } from 'vitest'
import { setSetting } from '#domain/server/instance/settings.ts'
import { patience } from '#test/run/patience.ts'
import { findings } from '#test/web/findings.ts'
import { describeWeb } from '#test/web/web.ts'

/** By how many pixels the composer is higher than the place that was kept for it. */
const excess = `(() => {
  const place = document.querySelector('[data-placeholder]')
  return place.getBoundingClientRect().height - parseFloat(getComputedStyle(place).minHeight)
})()`

describeWeb('timelines', (web) => {
  test('the first timeline is shown from what came with the document, without a question to the API', async () => {
    const wren = await web.app.person()
    await wren.say('the first thing that is seen')
    const context = await web.context({ as: wren })
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`${web.app.ctx.config.baseUrl}/home`)
    const post = page.getByRole('feed', { name: 'Home' }).getByRole('article').first()
    expect(await post.textContent()).toContain('the first thing that is seen')
    // Only what came since then is looked for.
    const questions = asked.filter((url) => url.includes('/api/v1/timelines'))
    expect(questions.filter((url) => !url.includes('since_id='))).toEqual([])
    expect(asked.length).toBeLessThanOrEqual(12)
    // The composer, which comes later, moves nothing: its place is as high as it, within the part of a pixel.
    const field = page.getByRole('textbox', { name: 'What is on your mind?' })
    await field.focus()
    // Who comes by the keyboard sees where they are.
    const shadow = 'getComputedStyle(document.activeElement).boxShadow'
    expect(await page.evaluate(shadow)).not.toBe('none')
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      expect(await page.evaluate(excess)).toBeLessThan(1)
    }
  })

  test('the address of the server leads people who are signed in to their home, and strangers to the front page', async () => {
    const wren = await web.app.person()
    const page = await web.open('/', { as: wren })
    expect(new URL(page.url()).pathname).toBe('/home')
    const strange = await web.open('/')
    expect(new URL(strange.url()).pathname).toBe('/')
    await strange.getByRole('link', { name: 'Sign in' }).first().waitFor()
  })

  test('what the keyboard does is told to strangers as to people who are signed in', async () => {
    const wren = await web.app.person()
    const rows: string[][] = []
    for (const as of [wren, undefined]) {
      const page = await web.open('/keyboard-shortcuts', {
        ...(as && { as }),
        viewport: { width: 390, height: 844 },
      })
      await page.getByRole('row').first().waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      rows.push(await page.getByRole('row').allTextContents())
      expect(await page.getByRole('heading', { name: 'Keyboard shortcuts' }).count()).toBe(1)
    }
    const [own, strangers] = rows.map((all) => all.map((row) => row.replaceAll(/\s+/g, '')))
    expect(strangers).toEqual(own)
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
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    await wren.say('ein Beitrag')
    await wren.say(`@${robin.username} مرحبا بك`)
    const page = await web.open('/home', { as: wren, locale: 'de', viewport: { width: 1280, height: 800 } })
    await page.getByRole('feed', { name: 'Startseite' }).getByRole('article').first().waitFor()
    // By the words of the post, whatever the name of whom it is for is written in.
    const read = page.getByText('مرحبا بك').locator('xpath=ancestor-or-self::*[@dir][1]')
    expect(await read.getAttribute('dir')).toBe('rtl')
    expect(await page.getAttribute('html', 'lang')).toBe('de')
    await page.evaluate("document.documentElement.dir = 'rtl'")
    const [navigation, main] = await Promise.all([
      page.getByRole('navigation', { name: 'Hauptmenü' }).boundingBox(),
      page.getByRole('main').boundingBox(),
    ])
    expect(navigation?.x ?? 0).toBeGreaterThan(main?.x ?? 0)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  })

  test('a link to the page that is shown leads to its top, at once where somebody wants less motion', async () => {
    const wren = await web.app.person()
    await wren.say('a long post\n'.repeat(30))
    const options = { reducedMotion: 'no-preference', viewport: { width: 1280, height: 400 } } as const
    const page = await web.open('/home', { as: wren, ...options })
    await page.getByRole('article').waitFor()
    const press = () =>
      page.evaluate<number>(
        `scrollTo({ top: 100, behavior: 'instant' }); document.querySelector('a[href="/home"]').click(); scrollY`,
      )
    expect(await press()).toBe(100)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await press()).toBe(0)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.evaluate(`document.documentElement.dataset.motion = 'less'`)
    expect(await press()).toBe(0)
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

  test('a tag is followed, and combined with others in its address', async () => {
    const wren = await web.app.person()
    // Tags that nobody has used before.
    const [plum, pear, apple] = ['plum', 'pear', 'apple'].map((name) => name + wren.username)
    await wren.say(`first #P${plum?.slice(1)}`)
    await wren.say(`second #${plum} #${pear}`)
    await wren.say(`third #${apple}`)
    const page = await web.open(`/tags/${plum}`, { as: wren })
    const feed = page.getByRole('feed', { name: `#${plum}` })
    await expect.poll(() => feed.getByRole('article').count(), { timeout: patience }).toBe(2)
    await page.getByRole('button', { name: 'Follow', exact: true }).click()
    await page.getByRole('button', { name: 'Unfollow' }).waitFor()
    await page.getByText('Combine with other tags').click()
    await page.getByRole('textbox', { name: 'Also posts with any of these' }).fill(`#${apple}`)
    await page.getByRole('textbox', { name: 'No posts with any of these' }).fill(`${pear}`)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await feed.getByText('third').waitFor()
    expect(new URL(page.url()).search).toBe(`?${new URLSearchParams({ 'any[]': apple!, 'none[]': pear! })}`)
    expect(await feed.getByText('second').count()).toBe(0)
    expect(await findings(web, page, 'tag')).toEqual([])
    await page.reload()
    await expect.poll(() => feed.getByRole('article').count(), { timeout: patience }).toBe(2)
    expect((await wren.get(`/api/v1/tags/${plum}`)).ok().following).toBe(true)
  })

  test('what was read on another device is gone on with here', async () => {
    const wren = await web.app.person()
    const posts = []
    for (const text of ['one', 'two', 'three']) posts.push(await wren.say(text))
    const move = (id: string | undefined) => wren.post('/api/v1/markers', { home: { last_read_id: id } })
    ;(await move(posts[2]?.id)).ok()
    const page = await web.open('/home', { as: wren })
    await page.getByText('three').waitFor()
    const goOn = page.getByRole('button', { name: 'Go to where you left off' })
    expect(await goOn.count()).toBe(0)
    const robin = await web.app.person()
    await wren.follow(robin)
    const [fourth] = [await robin.say('four'), await robin.say('five')]
    await page.getByRole('status').getByRole('button', { name: '2 new posts' }).waitFor()
    ;(await move(fourth?.id)).ok()
    await goOn.click()
    await page.getByRole('article').filter({ hasText: 'four' }).waitFor()
    await goOn.waitFor({ state: 'detached' })
  })

  test('a post is reacted to where the server has reactions on', async () => {
    await setSetting(web.app.ctx, 'emoji_reactions', true)
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    const said = await robin.say(`react to me, ${wren.username}`)
    ;(await robin.put(`/api/v1/pleroma/statuses/${said.id}/reactions/${encodeURIComponent('🎉')}`)).ok()
    const page = await web.open('/public/local', { as: wren })
    const post = page.getByRole('article').filter({ hasText: `react to me, ${wren.username}` })
    await post.getByRole('button', { name: '🎉 1' }).click()
    await post.getByRole('button', { name: '🎉 2', pressed: true }).waitFor()
    await post.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'React', exact: true }).click()
    await page.getByRole('dialog', { name: 'React' }).getByRole('searchbox').fill('thumbs up')
    await page.getByRole('dialog').getByRole('button', { name: 'thumbs up', exact: true }).click()
    await post.getByRole('button', { name: '👍 1', pressed: true }).waitFor()
    await post.getByRole('button', { name: '🎉 2' }).click()
    await post.getByRole('button', { name: '🎉 1', pressed: false }).waitFor()
    // They are shown before the server has agreed.
    const reactionsNow = async () => (await wren.get(`/api/v1/statuses/${said.id}`)).ok().reactions
    await expect.poll(reactionsNow).toMatchObject([
      { name: '🎉', count: 1, me: false },
      { name: '👍', count: 1, me: true },
    ])
  })

  test('a post in another language is translated when it is asked for, and shown as it was again', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    const said = await robin.say('Guten Morgen', {
      language: 'de',
      poll: { options: ['Ja', 'Nein'], expires_in: 600 },
    })
    const page = await (await web.context({ as: wren })).newPage()
    // The server has no translator: what it would answer with one stands here. Streams are closed to such a document.
    web.expectComplaints()
    await page.route('**/public/local', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replace(
        '"translation":{"enabled":false}',
        '"translation":{"enabled":true}',
      )
      await route.fulfill({ response: answer, body })
    })
    await page.route('**/translation_languages', (route) => route.fulfill({ json: { de: ['en'] } }))
    const options = [{ title: 'Yes' }, { title: 'No' }]
    await page.route(`**/statuses/${said.id}/translate`, (route) =>
      route.fulfill({
        json: {
          content: '<p>Good morning</p>',
          spoiler_text: '',
          language: 'en',
          detected_source_language: 'de',
          provider: 'LibreTranslate',
          media_attachments: [],
          poll: { id: said.poll?.id, options },
        },
      }),
    )
    await page.goto(`${web.app.ctx.config.baseUrl}/public/local`)
    const post = page.getByRole('article').first()
    await post.getByRole('button', { name: 'Translate' }).click()
    await post.getByText('Good morning').waitFor()
    await post.getByText('From German, translated by LibreTranslate').waitFor()
    await post.getByText('Yes').waitFor()
    await post.getByRole('button', { name: 'Show original' }).click()
    await post.getByText('Guten Morgen').waitFor()
    expect(await post.getByText('Yes').count()).toBe(0)
  })
})
