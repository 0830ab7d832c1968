// Finding people and what they talk about, and looking back, in a browser.
import { expect, test } from 'vitest'
import { setSetting } from '#domain/server/instance/settings.ts'
import { refreshTrends } from '#domain/reading/trends/refresh-trends.ts'
import { patience } from '#test/run/patience.ts'
import { changeStatus } from '#test/people/status-parts.ts'
import { applaud, crowd, discoverable, pageCard, share } from '#test/people/trending.ts'
import { findings } from '#test/web/findings.ts'
import { describeWeb } from '#test/web/web.ts'

describeWeb('finding and looking back', (web) => {
  test('what is talked about is shown: posts, tags, links and people, who can be dismissed', async () => {
    await setSetting(web.app.ctx, 'trendable_by_default', true)
    const [wren, robin, friend] = await Promise.all([
      web.app.person(),
      discoverable(web.app, 'robin'),
      web.app.person(),
    ])
    const fans = await crowd(web.app, 6)
    const tag = `#Blossom${robin.username}`
    const song = await robin.say(`everybody likes this song ${tag}`)
    await applaud(fans, song.id)
    for (const fan of fans) await fan.say(`so many flowers ${tag}`)
    const title = `A story of ${robin.username}`
    const card = await pageCard(web.app.ctx, `https://news.example/${robin.username}`, { title })
    const shared = await share(web.app, fans, card)
    await wren.follow(friend)
    ;(await friend.post(`/api/v1/accounts/${robin.accountId}/follow`)).ok()
    await web.app.untilDone()
    // The server has seen by now that there is no link in them.
    for (const id of shared) await changeStatus(web.app.ctx, id, { card_id: card })
    await refreshTrends(web.app.ctx)
    const page = await web.open('/explore', { as: wren })
    // The picture of the card is not there.
    web.expectComplaints()
    await page.getByRole('feed', { name: 'Posts' }).getByText(`everybody likes this song ${tag}`).waitFor()
    expect(await findings(web, page, 'explore-posts')).toEqual([])
    await page.getByRole('link', { name: 'Tags', exact: true }).click()
    await page.getByRole('list', { name: 'Tags' }).getByRole('link', { name: tag }).waitFor()
    await page.getByRole('link', { name: 'Links', exact: true }).click()
    const story = page.getByRole('listitem').filter({ hasText: title })
    await story.getByRole('link', { name: 'Shared by 6 people: see the posts' }).waitFor()
    expect(await findings(web, page, 'explore-links')).toEqual([])
    await page.getByRole('link', { name: 'People', exact: true }).click()
    const people = page.getByRole('list', { name: 'People' })
    await people.getByText(`@${robin.username}`).waitFor()
    expect(await findings(web, page, 'explore-people')).toEqual([])
    await people.getByRole('button', { name: `Do not suggest ${robin.username}` }).click()
    await people.getByText(`@${robin.username}`).waitFor({ state: 'detached' })
    await expect
      .poll(async () => (await wren.get('/api/v2/suggestions')).ok().map(({ account }) => account.id), {
        timeout: patience,
      })
      .not.toContain(robin.accountId)
  })

  test('the directory is read by who was here last or came last, here or everywhere', async () => {
    const [wren, robin] = [await web.app.person(), await discoverable(web.app, 'robin')]
    await robin.say('I am here')
    const page = await web.open('/directory', { as: wren })
    const list = page.getByRole('list', { name: 'Directory' })
    await list.getByText(`@${robin.username}`).waitFor()
    expect(await findings(web, page, 'directory')).toEqual([])
    await page.getByRole('link', { name: 'Newly arrived' }).click()
    await page.getByRole('link', { name: 'This server' }).click()
    await list.getByText(`@${robin.username}`).waitFor()
    expect(new URL(page.url()).search).toBe('?order=new&local=true')
  })

  test('a collection is made, filled, changed and deleted, and stands on its owner’s profile', async () => {
    const [wren, robin] = [await web.app.person(), await discoverable(web.app, 'robin')]
    const page = await web.open('/collections', { as: wren })
    await page.getByText('You have made none yet.').waitFor()
    await page.getByRole('button', { name: 'New collection' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name of the collection' }).fill('Early singers')
    await dialog.getByRole('textbox', { name: 'What it is about' }).fill('Up before the sun')
    await dialog.getByRole('textbox', { name: 'Tag' }).fill('#Dawn')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Early singers' }).waitFor()
    await page.getByRole('button', { name: 'Add people' }).click()
    await dialog.getByRole('searchbox', { name: 'Name or address' }).fill(robin.username)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByRole('button', { name: 'Added' }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    const members = page.getByRole('list', { name: 'People in this collection' })
    await members.getByText(`@${robin.username}`).waitFor()
    expect(await findings(web, page, 'collection')).toEqual([])
    await page.getByRole('button', { name: 'Edit collection' }).click()
    await dialog.getByRole('textbox', { name: 'Name of the collection' }).fill('Earliest singers')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Earliest singers' }).waitFor()
    await page.goto(`${web.app.ctx.config.baseUrl}/@${wren.username}/featured`)
    await page
      .getByRole('list', { name: 'Collections' })
      .getByRole('link', { name: 'Earliest singers' })
      .click()
    await members.getByRole('button', { name: `Remove ${robin.username}` }).click()
    await page.getByText('There is nobody in it yet.').waitFor()
    const { collections } = (await wren.get(`/api/v1/accounts/${wren.accountId}/collections`)).ok()
    expect(collections).toMatchObject([
      { name: 'Earliest singers', description: 'Up before the sun', tag: { name: 'Dawn' } },
    ])
    await page.getByRole('button', { name: 'More' }).last().click()
    await page.getByRole('menuitem', { name: 'Delete the collection' }).click()
    await dialog.getByRole('button', { name: 'Delete the collection' }).click()
    await page.getByText('You have made none yet.').waitFor()
    expect(await findings(web, page, 'collections')).toEqual([])
  })

  test('what came home since yesterday evening is caught up on, by person and in the order that one likes', async () => {
    const [wren, robin, finch, jay] = [
      await web.app.person(),
      await web.app.person(),
      await web.app.person(),
      await web.app.person(),
    ]
    for (const one of [robin, finch]) await wren.follow(one)
    const loud = await jay.say('heard by all')
    const rare = await robin.say('one rare word')
    const chatter = [await finch.say('first chatter'), await finch.say('second chatter')]
    for (let count = 0; count < 7; count++) await finch.say(`more chatter ${count}`)
    for (const one of [robin, finch]) (await one.post(`/api/v1/statuses/${loud.id}/reblog`)).ok()
    await web.app.untilDone()
    const card = await pageCard(web.app.ctx, 'https://news.example/larks', { image_key: null })
    for (const { id } of [rare, chatter[0]!]) await changeStatus(web.app.ctx, id, { card_id: card })
    const page = await web.open('/home', { as: wren })
    await page.getByRole('button', { name: 'Catch up' }).click()
    await page.getByText('11 posts by 2 people.').waitFor()
    await page.getByText('Shared links').click()
    await page.getByText('Shared by 2 people', { exact: true }).waitFor()
    await page.getByText('Boosted by several').click()
    const boosted = page.getByRole('article').filter({ hasText: 'heard by all' })
    await boosted.first().waitFor()
    await page.getByText('Boosted by 2 people', { exact: true }).waitFor()
    const feed = page.getByRole('feed', { name: 'Posts to catch up on' })
    await feed.getByText('one rare word').waitFor()
    expect(await findings(web, page, 'catch-up')).toEqual([])
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Oldest first')
    await feed.getByRole('article').first().getByText('one rare word').waitFor()
    await page.getByRole('button', { name: finch.username }).click()
    await feed.getByText('one rare word').waitFor({ state: 'detached' })
    await feed.getByText('second chatter').waitFor()
    await page.getByRole('button', { name: finch.username }).click()
    // Of those who say little nothing is lost in what others say.
    await page.getByRole('combobox', { name: 'Which' }).selectOption('Of people who post rarely')
    await feed.getByText('more chatter 1').waitFor({ state: 'detached' })
    await feed.getByText('one rare word').waitFor()
  })

  test('what came of one’s posts is counted, for a post and for a month, and not where one says no', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    const song = await wren.say('a song that travels')
    ;(await robin.post(`/api/v1/statuses/${song.id}/favourite`)).ok()
    const page = await web.open(`/@${wren.username}/${song.id}/statistics`, { as: wren })
    await page.getByRole('list', { name: 'Hour by hour' }).getByText('1 reaction').waitFor()
    expect(await findings(web, page, 'post-statistics')).toEqual([])
    await page.goto(`${web.app.ctx.config.baseUrl}/statistics`)
    await page.getByRole('region', { name: 'Of which most came' }).getByText('a song that travels').waitFor()
    expect(await findings(web, page, 'statistics')).toEqual([])
    await page.getByRole('checkbox', { name: 'Count for me' }).uncheck()
    await page.getByRole('region', { name: 'Of which most came' }).waitFor({ state: 'detached' })
    await expect
      .poll(async () => (await wren.get('/api/v1/statistics')).ok(), { timeout: patience })
      .toEqual({ enabled: false })
  })
})
