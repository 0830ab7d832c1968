// What came for somebody, in a browser: notifications, requests, conversations.
import { expect, test } from 'vitest'
import { describeWeb } from '#test/web/web.ts'
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
    await feed.getByText('louder please').waitFor()
    expect(await favourites.count()).toBe(0)
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
    const requests = (await wren.get('/api/v1/notifications/requests')).ok()
    expect(requests).toEqual([])
  })
})
