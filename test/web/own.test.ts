// What is one's own in a browser: who asks, whom one has limited, lists and tags.
import { expect, test } from 'vitest'
import { findings } from '#test/web/findings.ts'
import { describeWeb } from '#test/web/web.ts'

describeWeb('what is mine', (web) => {
  test('requests are answered, limits taken back, and lists and tags found', async () => {
    const [wren, robin, jay] = [await web.app.person(), await web.app.person(), await web.app.person()]
    ;(await wren.patch('/api/v1/accounts/update_credentials', { locked: true })).ok()
    ;(await robin.post(`/api/v1/accounts/${wren.accountId}/follow`)).ok()
    ;(await wren.post(`/api/v1/accounts/${jay.accountId}/mute`)).ok()
    ;(await wren.post('/api/v1/lists', { title: 'Singers' })).ok()
    ;(await wren.post('/api/v1/tags/dusk/follow')).ok()
    const page = await web.open('/follow_requests', { as: wren })
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Accepted').waitFor()
    expect(await findings(web, page, 'follow-requests')).toEqual([])
    await page.goto(`${web.app.ctx.config.baseUrl}/mutes`)
    await page.getByRole('button', { name: 'Unmute' }).click()
    await page.getByRole('button', { name: 'Mute', exact: true }).waitFor()
    await page.goto(`${web.app.ctx.config.baseUrl}/followed_tags`)
    await page.getByRole('link', { name: '#dusk' }).waitFor()
    await page.goto(`${web.app.ctx.config.baseUrl}/blocks`)
    await page.getByText('You block nobody.').waitFor()
    await page.goto(`${web.app.ctx.config.baseUrl}/lists`)
    await page.getByRole('link', { name: 'Singers' }).click()
    await page.getByRole('heading', { name: 'Singers' }).waitFor()
    const ids = `id[]=${robin.accountId}&id[]=${jay.accountId}`
    const relationships = (await wren.get(`/api/v1/accounts/relationships?${ids}`)).ok()
    expect(relationships).toMatchObject([{ followed_by: true }, { muting: false }])
  })
})
