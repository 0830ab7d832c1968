// What came for somebody, in a browser: notifications, requests, conversations.
import { expect, onTestFinished, test } from 'vitest'
import { describeWeb } from '#test/web/web.ts'
import { patience } from '#test/run/patience.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { findings } from '#test/web/findings.ts'

describeWeb('what came for me', (web) => {
  test('notifications stand in groups, are new until they were seen, and come by themselves', async () => {
    const [wren, robin, finch] = await Promise.all([web.app.person(), web.app.person(), web.app.person()])
    const song = await wren.say('a song at dawn')
    for (const one of [robin, finch]) (await one.post(`/api/v1/statuses/${song.id}/favourite`)).ok()
    ;(await wren.patch('/api/v1/accounts/update_credentials', { locked: true })).ok()
    ;(await robin.post(`/api/v1/accounts/${wren.accountId}/follow`)).ok()
    const page = await web.open('/notifications', { as: wren })
    const feed = page.getByRole('feed', { name: 'Notifications' })
    const favourites = feed.getByRole('article', { name: 'have favourited your post' })
    await favourites.getByText('and one other').waitFor()
    await favourites.getByRole('img', { name: 'New' }).waitFor()
    await favourites.getByRole('link', { name: 'a song at dawn' }).waitFor()
    const asks = feed.getByRole('article', { name: 'asks to follow you' })
    await asks.getByRole('button', { name: 'Accept' }).click()
    await asks.getByText('Accepted').waitFor()
    expect(await findings(web, page, 'notifications')).toEqual([])
    await finch.say(`@${wren.username} louder please`)
    await feed.getByRole('article', { name: 'has mentioned you' }).getByText('louder please').waitFor()
    await page.getByRole('link', { name: 'Mentions' }).click()
    // The mention stands there before and after.
    await favourites.waitFor({ state: 'detached' })
    await feed.getByText('louder please').waitFor()
    const [follower] = (await wren.get(`/api/v1/accounts/${wren.accountId}/followers`)).ok()
    expect(follower.id).toBe(robin.accountId)
    const markers = (await wren.get('/api/v1/markers?timeline[]=notifications')).ok()
    expect(BigInt(markers.notifications.last_read_id)).toBeGreaterThan(0n)
  })

  test('who is kept back is let through', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    ;(await wren.patch('/api/v2/notifications/policy', { for_not_following: 'filter' })).ok()
    await robin.say(`@${wren.username} hello from the hedge`)
    const page = await web.open('/notifications', { as: wren })
    await page.getByRole('link', { name: 'Notifications of one person wait for you' }).click()
    const list = page.getByRole('list', { name: 'Kept notifications' })
    await list.getByText('hello from the hedge').waitFor()
    expect(await findings(web, page, 'requests')).toEqual([])
    await list.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Nobody waits.').waitFor()
    await page.getByRole('status').getByText('from now on').waitFor()
    const requests = (await wren.get('/api/v1/notifications/requests')).ok()
    expect(requests).toEqual([])
  })

  test('how much is new stands on the bell, in the title and on the icon, and goes when it was read', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    const song = await wren.say('a song to like')
    const page = await web.open('/public/local', { as: wren })
    await page.evaluate('navigator.setAppBadge = async (count) => { globalThis.badge = count }')
    const bell = page.getByRole('link', { name: 'Notifications' })
    ;(await robin.post(`/api/v1/statuses/${song.id}/favourite`)).ok()
    await expect.poll(() => page.title(), { timeout: patience }).toMatch(/^\(1\) /)
    expect(await bell.getAttribute('data-count')).toBe('1')
    expect(await bell.getAttribute('aria-description')).toBe('One new')
    expect(await page.evaluate('badge')).toBe(1)
    expect(await findings(web, page, 'bell')).toEqual([])
    await bell.click()
    await page.getByRole('article', { name: 'has favourited your post' }).waitFor()
    await expect.poll(() => page.title(), { timeout: patience }).not.toMatch(/^\(/)
    expect(await bell.getAttribute('data-count')).toBeNull()
  })

  test('on a phone a number of two digits is one line high, and letters of twice the size leave room for all', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    for (let count = 1; count <= 20; count += 1) await robin.say(`@${wren.username} hello, ${count}`)
    await web.app.untilDone()
    const page = await web.open('/public/local', { as: wren, viewport: { width: 390, height: 844 } })
    const bar = page.getByRole('navigation', { name: 'Main' })
    const bell = bar.getByRole('link', { name: 'Notifications' })
    await expect.poll(() => bell.getAttribute('data-count'), { timeout: patience }).toBe('20')
    const { height, lineHeight } = await page.evaluate<{ height: string; lineHeight: string }>(`(() => {
      const { height, lineHeight } = getComputedStyle(document.querySelector('[data-count="20"]'), '::after')
      return { height, lineHeight }
    })()`)
    expect(height).toBe(lineHeight)
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
    const items = bar.getByRole('link').or(bar.getByRole('button')).filter({ visible: true })
    const edges = await items.evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect()).flatMap(({ left, right }) => [left, right]),
    )
    expect(edges).toHaveLength(10)
    expect(edges).toEqual(edges.toSorted((a, b) => a - b))
    expect(edges.at(-1)).toBeLessThanOrEqual(390)
    await bar.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Settings' }).waitFor()
    // Links and buttons of the menu begin below each other, whatever the bar does with its own.
    const pictures = page.getByRole('menuitem').locator('svg')
    const starts = await pictures.evaluateAll((all) =>
      all.map((one) => Math.round(one.getBoundingClientRect().left)),
    )
    expect([...new Set(starts)]).toHaveLength(1)
  })

  test('an announcement comes up by itself, takes reactions, and stays away once it was read', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    const staff = await web.app.person('staff', { role: 'Owner' })
    const page = await web.open('/home', { as: wren })
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    const made = (
      await staff.post('/api/v1/admin/announcements', { text: 'The pond is closed on Sunday.' })
    ).ok()
    // Everybody sees it, and who is there for the next try should not.
    onTestFinished(async () => void (await staff.delete(`/api/v1/admin/announcements/${made.id}`)).ok())
    const panel = page.getByRole('region', { name: 'Announcements' })
    await panel.getByText('The pond is closed on Sunday.').waitFor()
    ;(await robin.put(`/api/v1/announcements/${made.id}/reactions/${encodeURIComponent('🦆')}`)).ok()
    await panel.getByRole('button', { name: '🦆 1' }).click()
    await panel.getByRole('button', { name: '🦆 2', pressed: true }).waitFor()
    await panel.getByRole('button', { name: 'React' }).click()
    await page.getByRole('dialog', { name: 'React' }).getByRole('searchbox').fill('thumbs up')
    await page.getByRole('dialog').getByRole('button', { name: 'thumbs up', exact: true }).click()
    await panel.getByRole('button', { name: '👍', pressed: true }).waitFor()
    expect(await findings(web, page, 'announcement')).toEqual([])
    await panel.getByRole('button', { name: 'Mark as read' }).click()
    await panel.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('button', { name: 'Announcements', pressed: false }).click()
    await panel.getByRole('button', { name: '🦆 2', pressed: true }).waitFor()
    const [one] = (await wren.get('/api/v1/announcements?with_dismissed=true')).ok()
    expect(one).toMatchObject({
      read: true,
      reactions: [
        { count: 2, me: true },
        { name: '👍', me: true },
      ],
    })
  })

  test('conversations stand with what was said last, come by themselves, are read, muted and deleted', async () => {
    const [wren, robin, finch] = await Promise.all([web.app.person(), web.app.person(), web.app.person()])
    // What strangers write privately is kept back, and is no conversation before it is let through.
    await Promise.all([wren.follow(robin), wren.follow(finch)])
    await robin.say(`@${wren.username} only for your ears`, { visibility: 'direct' })
    await web.app.untilDone()
    const page = await web.open('/conversations', { as: wren })
    const feed = page.getByRole('feed', { name: 'Conversations' })
    const ofRobin = feed.getByRole('article', { name: robin.username })
    await ofRobin.getByText('only for your ears').waitFor()
    await ofRobin.getByRole('img', { name: 'New' }).waitFor()
    await finch.say(`@${wren.username} meet me at the pond`, { visibility: 'direct' })
    await feed.getByRole('article').first().getByText('meet me at the pond').waitFor()
    await page.getByRole('status').getByText(`New message: ${finch.username}`).waitFor()
    expect(await findings(web, page, 'conversations')).toEqual([])
    await ofRobin.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'No notifications of this thread' }).click()
    await ofRobin.getByRole('img', { name: 'Without notifications' }).waitFor()
    const ofFinch = feed.getByRole('article', { name: finch.username })
    await ofFinch.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete the conversation' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the conversation' }).click()
    await ofFinch.waitFor({ state: 'detached' })
    await ofRobin.getByRole('link', { name: 'only for your ears' }).click()
    await page.getByRole('heading', { name: `${robin.username}’s post` }).waitFor()
    await expect
      .poll(async () => (await wren.get('/api/v1/conversations')).ok(), { timeout: patience })
      .toMatchObject([{ unread: false, last_status: { muted: true } }])
  })

  test('a conversation that is marked stays where it stands, and is told as no new message', async () => {
    const [wren, robin, finch] = await Promise.all([web.app.person(), web.app.person(), web.app.person()])
    for (const one of [robin, finch]) {
      await wren.follow(one)
      await one.say(`@${wren.username} from ${one.username}`, { visibility: 'direct' })
    }
    await web.app.untilDone()
    const page = await web.open('/conversations', { as: wren })
    const items = page.getByRole('feed', { name: 'Conversations' }).getByRole('article')
    const lower = items.nth(1).filter({ hasText: `from ${robin.username}` })
    const mark = lower.getByRole('img', { name: 'New' })
    await mark.waitFor()
    const [, ofRobin] = (await wren.get('/api/v1/conversations')).ok()
    // As another device does.
    await wren.post(`/api/v1/conversations/${ofRobin?.id}/read`)
    await mark.waitFor({ state: 'detached' })
    await lower.waitFor()
    await wren.post(`/api/v1/conversations/${ofRobin?.id}/unread`)
    await mark.waitFor()
    expect(await page.getByText('New message:').count()).toBe(0)
  })

  test('people, posts and tags are found, and what is at an address is opened here', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    const song = await wren.say('moonlit madrigal #madrigal')
    const page = await web.open('/search', { as: wren })
    await page.getByText('posts that you wrote').waitFor()
    expect(await findings(web, page, 'search-help')).toEqual([])
    const field = page.getByRole('searchbox', { name: 'Words, people, tags or an address' })
    await field.fill('madrigal')
    await field.press('Enter')
    await page.getByRole('list', { name: 'Tags' }).getByRole('link', { name: '#madrigal' }).waitFor()
    await page.getByRole('feed', { name: 'Posts' }).getByText('moonlit').waitFor()
    expect(await findings(web, page, 'search')).toEqual([])
    await field.fill(`@${robin.username}`)
    await field.press('Enter')
    await page.getByRole('link', { name: 'People', exact: true }).click()
    await page.getByRole('list', { name: 'People' }).getByText(`@${robin.username}`).waitFor()
    await field.fill(song.url)
    await field.press('Enter')
    await page.waitForURL(`**/@${wren.username}/${song.id}`)
    const away = await remoteAccount(web.app.ctx)
    await page.goto(`${web.app.ctx.config.baseUrl}/search`)
    await field.fill(`https://${away.domain}/@${away.acct.split('@')[0]}`)
    await field.press('Enter')
    await page.waitForURL(`**/@${away.acct}`)
  })

  test('what is searched for is narrowed as the page explains, and said in words where it cannot be', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    const poll = { options: ['rye', 'spelt'], expires_in: 600 }
    await wren.say('sourdough of mine')
    await wren.say('sourdough to choose', { poll })
    const theirs = await robin.say('sourdough of theirs', { poll })
    ;(await wren.post(`/api/v1/statuses/${theirs.id}/favourite`)).ok()
    await web.app.untilDone()
    const page = await web.open('/search', { as: wren })
    const help = page.getByRole('main')
    for (const operator of ['from:me', 'has:image', 'before:2026-05', 'in:library'])
      await help.getByRole('term').getByText(operator, { exact: true }).waitFor()
    const field = page.getByRole('searchbox', { name: 'Words, people, tags or an address' })
    const posts = page.getByRole('feed', { name: 'Posts' }).getByRole('article')
    const find = async (words: string, found: readonly string[]) => {
      await field.fill(words)
      await field.press('Enter')
      await page.getByRole('heading', { name: `Search: ${words}`, exact: true }).waitFor()
      await expect
        .poll(async () => (await posts.locator('p').allTextContents()).toSorted(), { timeout: patience })
        .toEqual(expect.arrayContaining([...found]))
      expect(await posts.count()).toBe(found.length)
    }
    await find('sourdough from:me', ['sourdough of mine', 'sourdough to choose'])
    await find('sourdough from:me has:poll', ['sourdough to choose'])
    await find(`sourdough from:${robin.username}`, ['sourdough of theirs'])
    await find('sourdough after:2001 -choose', ['sourdough of mine', 'sourdough of theirs'])
    await field.fill('sourdough before:2001')
    await field.press('Enter')
    await page.getByRole('status').getByText('Nothing was found.').waitFor()
    web.expectComplaints()
    await field.fill('sourdough before:yesterday')
    await field.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByText('How to search').click()
    await help.getByRole('term').getByText('from:me', { exact: true }).waitFor()
  })

  test('what is talked about stands in four parts', async () => {
    const wren = await web.app.person()
    const page = await web.open('/explore', { as: wren })
    await page.getByText('No posts are talked about at the moment.').waitFor()
    await page.getByRole('link', { name: 'Tags', exact: true }).click()
    await page.getByText('No tags are talked about at the moment.').waitFor()
    await page.getByRole('link', { name: 'Links', exact: true }).click()
    await page.getByText('No links are shared much at the moment.').waitFor()
    expect(await findings(web, page, 'explore')).toEqual([])
    await page.getByRole('link', { name: 'People', exact: true }).click()
    const people = page.getByRole('list', { name: 'People' })
    await people.or(page.getByText('nobody to suggest')).first().waitFor()
  })
})
