// Where one was: kept on the way back, on reload, and under new posts; and the keyboard.
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { describeWeb } from '#test/web/web.ts'
import type { Person } from '#test/people/people.ts'

const topOf = async (page: Page, text: string) =>
  Math.round((await page.getByRole('article').filter({ hasText: text }).boundingBox())?.y ?? Number.NaN)

/** Once it stays for some frames: what comes near is measured then. */
async function settledTop(page: Page, text: string): Promise<number> {
  let top = Number.NaN
  await expect
    .poll(async () => {
      const before = top
      top = await topOf(page, text)
      return top === before
    })
    .toBe(true)
  return top
}

describeWeb('reading', (web) => {
  async function withPosts(count: number): Promise<Person> {
    const wren = await web.app.person()
    for (let number = 1; number <= count; number++)
      await wren.say(`number ${number}: ${'words '.repeat((number % 7) * 9)}`)
    return wren
  }

  test('goes on where it was: after a post was looked at, after a reload, and under new posts', async () => {
    const wren = await withPosts(45)
    const robin = await web.app.person()
    await wren.follow(robin)
    const page = await web.open('/home', { as: wren, viewport: { width: 390, height: 800 } })
    const post = page.getByRole('article').filter({ hasText: 'number 12:' })
    await page.getByRole('article').filter({ hasText: 'number 30:' }).scrollIntoViewIfNeeded()
    await post.scrollIntoViewIfNeeded()
    const before = await settledTop(page, 'number 12:')
    await robin.say('news from robin')
    await page.getByRole('button', { name: '1 new post' }).waitFor()
    expect(await topOf(page, 'number 12:')).toBe(before)
    await page.keyboard.press('g')
    await page.keyboard.press('k')
    await page.getByRole('heading', { name: 'Bookmarks' }).and(page.locator(':focus')).waitFor()
    await page.goBack()
    await post.waitFor()
    await expect.poll(() => topOf(page, 'number 12:')).toBeCloseTo(before, -1)
    await page.reload()
    await expect.poll(() => topOf(page, 'number 12:').catch(() => Number.NaN)).toBeCloseTo(before, -1)
  })

  test('goes on where another device left it', async () => {
    const wren = await withPosts(30)
    const { body } = await wren.get(`/api/v1/accounts/${wren.accountId}/statuses?limit=40`)
    const left = (body as { id: string; content: string }[]).find(({ content }) =>
      content.includes('number 5:'),
    )
    await wren.post('/api/v1/markers', { home: { last_read_id: left?.id } })
    const page = await web.open('/home', { as: wren })
    await page.getByRole('button', { name: 'Go to where you left off' }).click()
    const post = page.getByRole('article').filter({ hasText: 'number 5:' })
    await post.waitFor()
    await expect.poll(() => topOf(page, 'number 5:')).toBeLessThan(400)
  })

  test('is done by keyboard alone', async () => {
    const wren = await web.app.person()
    const said = await wren.say('the older one')
    await wren.say('the newer one')
    const page = await web.open('/home', { as: wren })
    await page.getByText('the older one').waitFor()
    await page.keyboard.press('j')
    await page.getByRole('article').filter({ hasText: 'the newer one' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('j')
    const answered = page.waitForResponse((response) => response.url().endsWith(`${said.id}/favourite`))
    await page.keyboard.press('f')
    expect((await answered).status()).toBe(200)
    await page.keyboard.press('n')
    await page.getByRole('textbox', { name: 'What is on your mind?' }).and(page.locator(':focus')).waitFor()
    // What is written is written, and no shortcut.
    await page.keyboard.type('gb')
    expect(new URL(page.url()).pathname).toBe('/home')
    await page.keyboard.press('Alt+x')
    await page.getByRole('textbox', { name: 'Warning in front of the post' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('f')
    await page.getByRole('heading', { name: 'Favourites' }).and(page.locator(':focus')).waitFor()
    await page.getByRole('article').filter({ hasText: 'the older one' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('rowheader', { name: 'Write a post' }).waitFor()
    expect(await web.axe(page)).toEqual([])
  })
  test('on the way back the post that was opened has the focus', async () => {
    const wren = await withPosts(25)
    const page = await web.open('/home', { as: wren, viewport: { width: 390, height: 800 } })
    for (const number of [25, 8]) {
      const post = page.getByRole('article').filter({ hasText: `number ${number}:` })
      await post.scrollIntoViewIfNeeded()
      await post.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('region', { name: 'Thread' }).waitFor()
      await page.keyboard.press('Backspace')
      await post.and(page.locator(':focus')).waitFor()
    }
    await page.keyboard.press('j')
    const next = page.getByRole('article').filter({ hasText: 'number 7:' }).and(page.locator(':focus'))
    await next.waitFor()
    expect(await next.count()).toBe(1)
  })

  test('who comes to search writes at once, and so again where something was found', async () => {
    const wren = await web.app.person()
    const page = await web.open('/home', { as: wren })
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    const field = page.getByRole('searchbox').and(page.locator(':focus'))
    await page.keyboard.press('/')
    await field.waitFor()
    await page.keyboard.type('finches')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Search: finches' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('/')
    await field.waitFor()
    await page.keyboard.type('wrens')
    expect(await field.inputValue()).toBe('wrens')
  })

  test('a view that cannot be loaded without a network says so, and is there with one', async () => {
    const wren = await web.app.person()
    const page = await web.open('/home', { as: wren })
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    web.expectComplaints()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Lists', exact: true }).click()
    await page.getByRole('alert').getByText('The server cannot be reached. Are you online?').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Lists' }).waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })

  test('a server that was away is found again, also where the browser knows nothing of it', async () => {
    const page = await web.open('/home', { as: await web.app.person() })
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    web.expectComplaints()
    await page.route('**/*', (route) => route.abort('connectionrefused'))
    await page.getByRole('link', { name: 'Bookmarks', exact: true }).click()
    await page.getByText('You are offline.').waitFor()
    await page.unroute('**/*')
    await page.getByText('There is nothing here yet.').waitFor()
    await expect.poll(() => page.getByText('You are offline.').count()).toBe(0)
  })

  test('how one stands to somebody is asked for again when the server is back', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    await robin.say('whose song is that?')
    const page = await web.open('/public/local', { as: wren })
    const post = page.getByRole('article').filter({ hasText: 'whose song is that?' })
    await post.waitFor()
    web.expectComplaints()
    const relationships = '**/api/v1/accounts/relationships*'
    await page.route(relationships, (route) => route.abort('connectionrefused'))
    const lost = page.waitForEvent('requestfailed', (request) => request.url().includes('/relationships'))
    await post.getByRole('link', { name: robin.username }).first().click()
    await lost
    expect(await page.getByRole('button', { name: 'Follow', exact: true }).count()).toBe(0)
    await page.unroute(relationships)
    await page.getByRole('button', { name: 'Follow', exact: true }).waitFor()
  })

  test('a part of the app that could not be loaded says so, and can be had again', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    await robin.say('a loud song')
    const page = await web.open('/public/local', { as: wren })
    const post = page.getByRole('article').filter({ hasText: 'a loud song' })
    const mute = async () => {
      await post.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: `Mute @${robin.username}` }).click()
    }
    await post.waitFor()
    web.expectComplaints()
    await page.route('**/*.js', (route) => route.abort('connectionrefused'))
    const dialog = page.getByRole('dialog', { name: `Mute @${robin.username}?` })
    await mute()
    await page.getByRole('status').getByText('Something went wrong').waitFor()
    expect(await dialog.count()).toBe(0)
    await page.unroute('**/*.js')
    await mute()
    await dialog.waitFor()
  })
})
