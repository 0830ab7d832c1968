// What comes to a timeline by itself, in a browser: what waits, what was missed, and what is left out while it is far away.
import type { WebSocketRoute } from 'playwright-core'
import { expect, test } from 'vitest'
import { patience } from '#test/run/patience.ts'
import { describeWeb } from '#test/web/web.ts'

describeWeb('new posts', (web) => {
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

  test('what others wrote before the stream was there is not missed, by whoever has posts and by newcomers', async () => {
    const [wren, newcomer, robin] = [await web.app.person(), await web.app.person(), await web.app.person()]
    for (const person of [wren, newcomer]) await person.follow(robin)
    await wren.say('what is there')
    for (const person of [newcomer, wren]) {
      const page = await (await web.context({ as: person })).newPage()
      const said = Promise.withResolvers<void>()
      await page.routeWebSocket('**/api/v1/streaming', async (socket) => {
        await said.promise
        socket.connectToServer()
      })
      await page.goto(`${web.app.ctx.config.baseUrl}/home`)
      if (person === wren) await page.getByRole('article').getByText('what is there').waitFor()
      else await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
      await robin.say(`early for ${person.username}`)
      await web.app.untilDone()
      said.resolve()
      await page.getByRole('status').getByRole('button', { name: '1 new post' }).click()
      await expect
        .poll(() => page.getByText(`early for ${person.username}`).count(), { timeout: patience })
        .toBe(1)
      await page.context().close()
    }
  })

  test('of more posts than can wait the oldest are a gap, and none is lost', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    await wren.follow(robin)
    await wren.say('before the flood')
    const page = await (await web.context({ as: wren })).newPage()
    const opened = Promise.withResolvers<WebSocketRoute>()
    await page.routeWebSocket('**/api/v1/streaming', opened.resolve)
    await page.goto(`${web.app.ctx.config.baseUrl}/home`)
    const posts = page.getByRole('feed', { name: 'Home' }).getByRole('article')
    await posts.getByText('before the flood').waitFor()
    const stream = await opened.promise
    const carried = await robin.say('carried away')
    await web.app.untilDone()
    const waiting = page.getByRole('status')
    // The server need not say two hundred things for it: the page is told what it would be told.
    const send = (status: object) =>
      stream.send(JSON.stringify({ stream: ['user'], event: 'update', payload: JSON.stringify(status) }))
    send(carried)
    await waiting.getByRole('button', { name: '1 new post' }).waitFor()
    for (let number = 1n; number <= 200n; number++)
      send({ ...carried, id: String(BigInt(carried.id) + number), content: '<p>flood</p>' })
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
    // What has just been left is taken out when the page next has time.
    await expect.poll(() => feed.getByRole('article').count(), { timeout: patience }).toBeLessThan(45)
  })
})
