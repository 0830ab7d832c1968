// Timelines in a browser: what came with the document, what comes by itself, what is done with posts.
import type { WebSocketRoute } from 'playwright-core'
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
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${web.app.ctx.config.baseUrl}/home`)
    const post = page.getByRole('feed', { name: 'Home' }).getByRole('article').first()
    expect(await post.textContent()).toContain('the first thing that is seen')
    expect(asked.filter((path) => path.startsWith('/api/v1/timelines'))).toEqual([])
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

  test('of more than a page that was missed the rest is a gap, which is filled where it is', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    await wren.follow(robin)
    await wren.say('before the walk')
    const page = await web.open('/home', { as: wren })
    const posts = page.getByRole('feed', { name: 'Home' }).getByRole('article')
    await posts.getByText('before the walk').waitFor()
    await page.getByRole('link', { name: 'Bookmarks' }).first().click()
    await page.getByRole('heading', { name: 'Bookmarks' }).waitFor()
    const missed = Array.from({ length: 23 }, (_, number) => `missed ${number + 1}.`)
    for (const text of missed) await robin.say(text)
    await web.app.untilDone()
    await page.getByRole('link', { name: 'Home' }).first().click()
    await page.getByRole('status').getByRole('button', { name: '20 new posts' }).click()
    const gap = page.getByRole('article', { name: 'Posts are missing here' })
    expect(await posts.getByText('missed 3.').count()).toBe(0)
    await gap.getByRole('button', { name: 'Show what is missing here' }).click()
    await gap.waitFor({ state: 'detached' })
    const texts = await posts.allTextContents()
    const order = [...missed.toReversed(), 'before the walk']
    expect(texts.map((text) => order.find((one) => text.includes(one)))).toEqual(order)
  })

  test('what others wrote before a post of one’s own is not missed where the stream did not bring it', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    await wren.follow(robin)
    await wren.say('before all')
    const page = await (await web.context({ as: wren })).newPage()
    await page.routeWebSocket('**/api/v1/streaming', () => {})
    await page.goto(`${web.app.ctx.config.baseUrl}/home`)
    const posts = page.getByRole('feed', { name: 'Home' }).getByRole('article')
    await posts.getByText('before all').waitFor()
    await robin.say('what did not come')
    await web.app.untilDone()
    const form = page.getByRole('form', { name: 'New post' })
    await form.getByRole('textbox', { name: 'What is on your mind?' }).fill('of my own')
    await form.getByRole('button', { name: 'Publish' }).click()
    await posts.getByText('of my own').waitFor()
    await page.getByRole('link', { name: 'Bookmarks' }).first().click()
    await page.getByRole('heading', { name: 'Bookmarks' }).waitFor()
    await page.getByRole('link', { name: 'Home' }).first().click()
    await page.getByRole('status').getByRole('button', { name: '1 new post' }).click()
    await posts.getByText('what did not come').waitFor()
    expect(await posts.getByText('of my own').count()).toBe(1)
  })

  test('of more posts than can wait the oldest are a gap, and none is lost', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    await wren.follow(robin)
    await wren.say('before the flood')
    const page = await (await web.context({ as: wren })).newPage()
    let stream: WebSocketRoute | undefined
    await page.routeWebSocket('**/api/v1/streaming', (socket) => {
      socket.connectToServer()
      stream = socket
    })
    await page.goto(`${web.app.ctx.config.baseUrl}/home`)
    const posts = page.getByRole('feed', { name: 'Home' }).getByRole('article')
    await posts.getByText('before the flood').waitFor()
    const carried = await robin.say('carried away')
    const waiting = page.getByRole('status')
    await waiting.getByRole('button', { name: '1 new post' }).waitFor()
    // The server need not say two hundred things for it: what it streams is told to the page as it tells it.
    for (let number = 1n; number <= 200n; number++) {
      const flood = { ...carried, id: String(BigInt(carried.id) + number), content: '<p>flood</p>' }
      stream?.send(JSON.stringify({ stream: ['user'], event: 'update', payload: JSON.stringify(flood) }))
    }
    const oldest = String(BigInt(carried.id) + 1n)
    await waiting.getByRole('button', { name: '200 new posts' }).click()
    const gap = page.getByRole('article', { name: 'Posts are missing here' })
    await gap.getByRole('button', { name: 'Show what is missing here' }).click()
    await gap.waitFor({ state: 'detached' })
    const anchors = `[...document.querySelectorAll('[role=feed] [data-anchor]')].slice(-3).map((post) => post.dataset.anchor)`
    const lowest = async () => (await page.evaluate<string[]>(anchors)).slice(0, 2)
    await expect.poll(lowest, { timeout: patience }).toEqual([oldest, carried.id])
  })

  test('what is far from what is read is not in the page, and is there again when one comes back to it', async () => {
    const wren = await web.app.person()
    for (let number = 1; number <= 45; number++) await wren.say(`number ${number}.`)
    const page = await web.open('/home', { as: wren, viewport: { width: 390, height: 844 } })
    const feed = page.getByRole('feed', { name: 'Home' })
    const [newest, oldest] = [45, 1].map((number) => feed.getByText(`number ${number}.`))
    await newest?.waitFor()
    // As high as posts with pictures, without any.
    await page.evaluate(`{
      const high = new CSSStyleSheet()
      high.replaceSync('[role=feed] article { min-height: 600px }')
      document.adoptedStyleSheets = [high]
    }`)
    // By screens, as people do: what was never seen is as high as it is guessed to be.
    const goOn = async () => {
      await page.evaluate(`scrollBy({ top: 800, behavior: 'instant' })`)
      const isEnd = await page.evaluate(`scrollY + innerHeight >= document.documentElement.scrollHeight - 1`)
      return [await newest?.count(), await oldest?.count(), isEnd]
    }
    await expect.poll(goOn, { timeout: patience }).toEqual([0, 1, true])
    // Who looked at another view comes back to where they were, and to the top from there.
    const last = feed.getByRole('article').last()
    const place = 'Math.round(document.querySelector("[role=feed]").getBoundingClientRect().bottom)'
    const before = await page.evaluate<number>(place)
    await last.getByRole('link', { name: wren.username }).first().click()
    await page.getByRole('heading', { level: 1, name: wren.username }).waitFor()
    await page.goBack()
    await expect
      .poll(async () => Math.abs((await page.evaluate<number>(place)) - before), { timeout: patience })
      .toBeLessThanOrEqual(2)
    const reachTop = () => page.keyboard.press('Home').then(() => newest?.count())
    await expect.poll(reachTop, { timeout: patience }).toBe(1)
    expect(await feed.getByRole('article').count()).toBeLessThan(45)
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
    const { reactions } = (await wren.get(`/api/v1/statuses/${said.id}`)).ok()
    expect(reactions).toMatchObject([
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
