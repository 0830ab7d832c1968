// What the server refuses, in a browser: it is shown as done at once, and taken back alone, whatever was done meanwhile.
import { expect, test } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { setSetting } from '#domain/server/instance/settings.ts'
import type { Json } from '#test/client/client.ts'
import { describeWeb } from '#test/web/web.ts'

/** Has the next request to this address wait until it is refused: by what is returned, which sees that it was told. */
async function holdNext(page: Page, url: string | RegExp, method = 'POST'): Promise<() => Promise<void>> {
  const refusal = Promise.withResolvers<void>()
  const isHeld = (request: { method(): string }) => request.method() === method
  let held = 0
  await page.route(url, async (route) => {
    if (!isHeld(route.request()) || held++ > 0) return await route.fallback()
    await refusal.promise
    await route.fulfill({ status: 422, json: { error: 'Not now, says the server' } })
  })
  return async () => {
    refusal.resolve()
    await page.getByRole('status').getByText('Not now, says the server').waitFor()
  }
}

/** For a poll: what stands in a list, of each item the part of its text that matches. */
const shown = (items: Locator, part: RegExp) => async () =>
  (await items.allInnerTexts()).map((text) => part.exec(text)?.[0] ?? text)

describeWeb('what the server refuses', (web) => {
  test('a conversation that cannot be removed comes back to its place, and nothing else changes', async () => {
    const [wren, robin, finch, heron, dove] = await Promise.all([
      web.app.person(),
      web.app.person(),
      web.app.person(),
      web.app.person(),
      web.app.person(),
    ])
    for (const one of [robin, finch, heron, dove]) {
      await wren.follow(one)
      if (one !== dove) await one.say(`@${wren.username} words of ${one.username}`, { visibility: 'direct' })
    }
    await web.app.untilDone()
    const page = await web.open('/conversations', { as: wren })
    web.expectComplaints()
    const feed = page.getByRole('feed', { name: 'Conversations' })
    const items = feed.getByRole('article')
    const words = (...people: { username: string }[]) => people.map(({ username }) => `words of ${username}`)
    await expect.poll(shown(items, /words of \S+/)).toEqual(words(heron, finch, robin))
    const remove = async (name: string) => {
      await feed.getByRole('article', { name }).getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Delete the conversation' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete the conversation' }).click()
      await feed.getByRole('article', { name }).waitFor({ state: 'detached' })
    }
    const refuse = await holdNext(page, /\/api\/v1\/conversations\/\d+$/, 'DELETE')
    await remove(finch.username)
    await remove(heron.username)
    await dove.say(`@${wren.username} words of ${dove.username}`, { visibility: 'direct' })
    await expect.poll(shown(items, /words of \S+/)).toEqual(words(dove, robin))
    await refuse()
    await expect.poll(shown(items, /words of \S+/)).toEqual(words(dove, finch, robin))
    // Whoever goes on with one that was removed brings it back.
    await heron.say(`@${wren.username} words of ${heron.username} again`, { visibility: 'direct' })
    await expect.poll(shown(items, /words of \S+/)).toEqual(words(heron, dove, finch, robin))
  })

  test('a conversation that another device has removed stays removed, without a complaint', async () => {
    const [wren, robin, finch] = await Promise.all([web.app.person(), web.app.person(), web.app.person()])
    for (const one of [robin, finch]) {
      await wren.follow(one)
      await one.say(`@${wren.username} words of ${one.username}`, { visibility: 'direct' })
    }
    await web.app.untilDone()
    const page = await web.open('/conversations', { as: wren })
    web.expectComplaints()
    const items = page.getByRole('feed', { name: 'Conversations' }).getByRole('article')
    await expect.poll(() => items.count()).toBe(2)
    const list = (await wren.get('/api/v1/conversations')).ok()
    const old = list.find(({ accounts }: Json) => accounts[0].username === robin.username)
    ;(await wren.delete(`/api/v1/conversations/${old.id}`)).ok()
    await items
      .filter({ hasText: `words of ${robin.username}` })
      .getByRole('button', { name: 'More' })
      .click()
    await page.getByRole('menuitem', { name: 'Delete the conversation' }).click()
    const answer = page.waitForResponse(`**/api/v1/conversations/${old.id}`)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the conversation' }).click()
    expect((await answer).status()).toBe(404)
    // What is told to the app after that answer.
    await finch.say(`@${wren.username} more of ${finch.username}`, { visibility: 'direct' })
    const left = [`more of ${finch.username}`, `words of ${finch.username}`]
    await expect.poll(shown(items, /(?:words|more) of \S+/)).toEqual(left)
    expect(await page.getByRole('status').getByText('not there any more').count()).toBe(0)
  })

  test('a conversation that cannot be muted keeps what was said in it meanwhile', async () => {
    const [wren, robin] = await Promise.all([web.app.person(), web.app.person()])
    await wren.follow(robin)
    const visibility = 'direct'
    const { id } = await robin.say(`@${wren.username} the first words`, { visibility })
    await web.app.untilDone()
    const page = await web.open('/conversations', { as: wren })
    web.expectComplaints()
    const item = page.getByRole('article', { name: robin.username })
    const refuse = await holdNext(page, '**/mute')
    await item.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'No notifications of this thread' }).click()
    await item.getByRole('img', { name: 'Without notifications' }).waitFor()
    await robin.say(`@${wren.username} the second words`, { visibility, in_reply_to_id: id })
    await item.getByText('the second words').waitFor()
    await refuse()
    expect(await item.getByText('the second words').count()).toBe(1)
    expect(await item.getByRole('img', { name: 'Without notifications' }).count()).toBe(0)
  })

  test('a server that stays hidden comes back to its place alone', async () => {
    const wren = await web.app.person()
    const domains = ['a.noise.example', 'b.noise.example', 'c.noise.example']
    for (const domain of domains.toReversed()) (await wren.post('/api/v1/domain_blocks', { domain })).ok()
    const page = await web.open('/domain_blocks', { as: wren })
    web.expectComplaints()
    const items = page.getByRole('list', { name: 'Hidden servers' }).getByRole('listitem')
    await expect.poll(shown(items, /\S+\.example/)).toEqual(domains)
    const show = (domain: string) =>
      items.filter({ hasText: domain }).getByRole('button', { name: 'Show again' }).click()
    const refuse = await holdNext(page, '**/api/v1/domain_blocks?*', 'DELETE')
    await show('b.noise.example')
    await show('a.noise.example')
    await expect.poll(shown(items, /\S+\.example/)).toEqual(['c.noise.example'])
    await refuse()
    await expect.poll(shown(items, /\S+\.example/)).toEqual(['b.noise.example', 'c.noise.example'])
  })

  test('a request about which nothing can be decided comes back alone', async () => {
    const [wren, robin, finch] = await Promise.all([web.app.person(), web.app.person(), web.app.person()])
    ;(await wren.patch('/api/v2/notifications/policy', { for_not_following: 'filter' })).ok()
    for (const one of [robin, finch]) await one.say(`@${wren.username} words of ${one.username}`)
    await web.app.untilDone()
    const page = await web.open('/notifications/requests', { as: wren })
    web.expectComplaints()
    const items = page.getByRole('list', { name: 'Kept notifications' }).getByRole('listitem')
    const dismiss = (name: string) =>
      items.filter({ hasText: name }).getByRole('button', { name: 'Dismiss' }).click()
    const refuse = await holdNext(page, '**/dismiss')
    await dismiss(robin.username)
    await dismiss(finch.username)
    await page.getByText('Nobody waits.').waitFor()
    await refuse()
    await expect.poll(shown(items, /words of \S+/)).toEqual([`words of ${robin.username}`])
  })

  test('a suggestion that cannot be dismissed comes back alone', async () => {
    const [wren, robin, finch] = await Promise.all([web.app.person(), web.app.person(), web.app.person()])
    for (const one of [robin, finch])
      (await one.patch('/api/v1/accounts/update_credentials', { discoverable: true })).ok()
    await setSetting(web.app.ctx, 'bootstrap_timeline_accounts', `${robin.username}, ${finch.username}`)
    const page = await web.open('/explore/suggestions', { as: wren })
    web.expectComplaints()
    const items = page.getByRole('list', { name: 'People' }).getByRole('listitem')
    const dismiss = ({ username }: { username: string }) =>
      page.getByRole('button', { name: `Do not suggest ${username}` }).click()
    const refuse = await holdNext(page, '**/api/v1/suggestions/*', 'DELETE')
    await dismiss(robin)
    await dismiss(finch)
    await expect.poll(shown(items, /@\S+/)).toEqual([])
    await refuse()
    await expect.poll(shown(items, /@\S+/)).toEqual([`@${robin.username}`])
  })

  test('who cannot be let follow is still followed, where that was done meanwhile', async () => {
    const [wren, robin] = await Promise.all([web.app.person(), web.app.person()])
    ;(await wren.patch('/api/v1/accounts/update_credentials', { locked: true })).ok()
    ;(await robin.post(`/api/v1/accounts/${wren.accountId}/follow`)).ok()
    const page = await web.open('/follow_requests', { as: wren })
    web.expectComplaints()
    const refuse = await holdNext(page, '**/authorize')
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Accepted').waitFor()
    await page.getByRole('link', { name: robin.username }).first().click()
    const followed = page.waitForResponse('**/follow')
    await page.getByRole('button', { name: 'Follow', exact: true }).click()
    await followed
    await page.getByRole('button', { name: 'Unfollow' }).waitFor()
    await refuse()
    expect(await page.getByRole('button', { name: 'Unfollow' }).count()).toBe(1)
  })

  test('a scheduled post that cannot be cancelled comes back alone, also where nothing can be read', async () => {
    const wren = await web.app.person()
    const texts = ['written last', 'written after that', 'written first']
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
    for (const text of texts.toReversed()) await wren.say(text, { scheduled_at: inAnHour })
    const page = await web.open('/scheduled', { as: wren })
    web.expectComplaints()
    const items = page.getByRole('list', { name: 'Scheduled posts' }).getByRole('listitem')
    await expect.poll(shown(items, /written .+/)).toEqual(texts)
    const cancel = (text: string) =>
      items.filter({ hasText: text }).getByRole('button', { name: 'Do not publish' }).click()
    await page.route('**/api/v1/scheduled_statuses?*', (route) => route.fulfill({ status: 503, body: '' }))
    const refuse = await holdNext(page, '**/api/v1/scheduled_statuses/*', 'DELETE')
    await cancel('written after that')
    await cancel('written last')
    await page.getByRole('status').getByText('It will not be published.').waitFor()
    await expect.poll(shown(items, /written .+/)).toEqual(['written first'])
    await refuse()
    await expect.poll(shown(items, /written .+/)).toEqual(['written after that', 'written first'])
  })
})
