// What is one's own in a browser: who asks, whom one has limited, lists and tags.
import { expect, test } from 'vitest'
import type { Json } from '#test/client/client.ts'
import { patience } from '#test/run/patience.ts'
import { findings } from '#test/web/findings.ts'
import { describeWeb } from '#test/web/web.ts'

describeWeb('what is mine', (web) => {
  test('requests are answered, limits taken back, and lists and tags found', async () => {
    const [wren, robin, jay] = [await web.app.person(), await web.app.person(), await web.app.person()]
    ;(await wren.patch('/api/v1/accounts/update_credentials', { locked: true })).ok()
    ;(await robin.post(`/api/v1/accounts/${wren.accountId}/follow`)).ok()
    ;(await wren.post(`/api/v1/accounts/${jay.accountId}/mute`)).ok()
    const said = await jay.say('a long talk')
    ;(await wren.post(`/api/v1/statuses/${said.id}/mute`)).ok()
    ;(await wren.post('/api/v1/tags/dusk/follow')).ok()
    await wren.follow(jay)
    const page = await web.open('/follow_requests', { as: wren })
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('Accepted').waitFor()
    expect(await findings(web, page, 'follow-requests')).toEqual([])
    await page.goto(`${web.app.ctx.config.baseUrl}/mutes`)
    await page.getByRole('button', { name: 'Unmute' }).click()
    await page.getByRole('button', { name: 'Mute', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Muted conversations' }).click()
    const muted = page.getByRole('list', { name: 'Muted conversations' }).getByRole('listitem')
    await muted.filter({ hasText: 'a long talk' }).getByRole('button', { name: /again/ }).click()
    await muted.getByRole('button', { name: /^No notifications/ }).waitFor()
    expect(await findings(web, page, 'muted-conversations')).toEqual([])
    await page.goto(`${web.app.ctx.config.baseUrl}/followed_tags`)
    await page.getByRole('link', { name: '#dusk' }).waitFor()
    await page.goto(`${web.app.ctx.config.baseUrl}/blocks`)
    await page.getByText('You block nobody.').waitFor()
    await page.goto(`${web.app.ctx.config.baseUrl}/lists`)
    await page.getByText('You have no lists yet.').waitFor()
    await page.getByRole('button', { name: 'New list' }).click()
    const make = page.getByRole('dialog', { name: 'New list' })
    await make.getByRole('textbox', { name: 'Name of the list' }).fill('Singers')
    await make.getByRole('checkbox', { name: 'Keep its members out of home' }).check()
    expect(await findings(web, page, 'list-dialog')).toEqual([])
    await make.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Singers' }).waitFor()
    expect((await wren.get('/api/v1/lists')).ok()).toMatchObject([{ title: 'Singers', exclusive: true }])
    await page.getByRole('button', { name: 'Who is in it' }).click()
    const members = page.getByRole('dialog', { name: 'Who is in it' })
    const listed = async () => {
      const [list] = (await wren.get('/api/v1/lists')).ok()
      return (await wren.get(`/api/v1/lists/${list.id}/accounts`)).ok().map(({ acct }: Json) => acct)
    }
    const find = members.getByRole('searchbox', { name: 'Find people you follow' })
    await find.fill(robin.username)
    await members.getByText('Nothing was found.').waitFor()
    await find.fill(jay.username)
    await members.getByRole('button', { name: 'Add' }).click()
    await members.getByRole('button', { name: 'Remove' }).waitFor()
    await expect.poll(listed, { timeout: patience }).toEqual([jay.username])
    await find.fill('')
    const inside = members.getByRole('list', { name: 'Who is in it' })
    expect(await findings(web, page, 'members-dialog')).toEqual([])
    await inside.getByRole('button', { name: 'Remove' }).click()
    await inside.getByRole('button', { name: 'Add' }).waitFor()
    await expect.poll(listed, { timeout: patience }).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit list' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit list' })
    await edit.getByRole('textbox', { name: 'Name of the list' }).fill('Choir')
    await edit.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Choir' }).waitFor()
    await page.goto(`${web.app.ctx.config.baseUrl}/lists`)
    await page.getByRole('link', { name: 'Choir' }).waitFor()
    expect(await findings(web, page, 'lists')).toEqual([])
    await page.getByRole('button', { name: 'Edit Choir' }).click()
    await edit.getByRole('button', { name: 'Delete the list' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the list' }).click()
    await page.getByText('You have no lists yet.').waitFor()
    const ids = `id[]=${robin.accountId}&id[]=${jay.accountId}`
    const relationships = (await wren.get(`/api/v1/accounts/relationships?${ids}`)).ok()
    expect(relationships).toMatchObject([{ followed_by: true }, { muting: false }])
  })

  test('filters are made, hold at once, take posts and words from where they stand, and go', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    // Words that no other try has said to everybody.
    const [turnips, cabbage] = [`turnips${wren.username}`, `cabbage${wren.username}`]
    await robin.say(`${turnips} for breakfast`)
    await robin.say(`${cabbage} for supper`)
    await robin.say('porridge again')
    const page = await web.open('/filters', { as: wren })
    await page.getByText('You filter nothing yet.').waitFor()
    await page.getByRole('button', { name: 'New filter' }).click()
    const dialog = page.getByRole('dialog', { name: 'New filter' })
    await dialog.getByRole('textbox', { name: 'Word 1' }).fill(turnips)
    await dialog.getByRole('button', { name: 'Add a word' }).click()
    await dialog.getByRole('textbox', { name: 'Word 2' }).fill('swede')
    await dialog.getByRole('checkbox', { name: 'Only as a whole word' }).last().uncheck()
    await dialog.getByRole('checkbox', { name: 'Profiles' }).uncheck()
    await dialog.getByRole('combobox', { name: 'Until when' }).selectOption('1 day')
    expect(await findings(web, page, 'filter-dialog')).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    const list = page.getByRole('list', { name: 'Filters' })
    await list.getByRole('heading', { name: turnips }).waitFor()
    const hides = { title: 'porridge', context: ['public'], filter_action: 'hide' }
    const { id } = (
      await wren.post('/api/v2/filters', { ...hides, keywords_attributes: [{ keyword: 'porridge' }] })
    ).ok()
    await page.goto(`${web.app.ctx.config.baseUrl}/public/local`)
    await page.getByText(`Filtered: ${turnips}`).waitFor()
    expect(await page.getByText('porridge').count()).toBe(0)
    ;(await wren.delete(`/api/v2/filters/${id}`)).ok()
    const other = page.getByRole('article').filter({ hasText: cabbage })
    await other.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Filter this post or a word' }).click()
    await page.getByRole('dialog', { name: 'Filter a post' }).getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => page.getByText(`Filtered: ${turnips}`).count(), { timeout: patience }).toBe(2)
    await page.goto(`${web.app.ctx.config.baseUrl}/filters`)
    await page.getByText('One filtered post').click()
    await list.getByRole('link', { name: `${cabbage} for supper` }).waitFor()
    expect(await findings(web, page, 'filters')).toEqual([])
    const [filter] = (await wren.get('/api/v2/filters')).ok()
    expect(filter).toMatchObject({
      title: turnips,
      context: ['home', 'notifications', 'public', 'thread'],
      filter_action: 'warn',
      expires_at: expect.any(String),
      keywords: [
        { keyword: turnips, whole_word: true },
        { keyword: 'swede', whole_word: false },
      ],
    })
    await list.getByRole('button', { name: `Edit ${turnips}` }).click()
    const edit = page.getByRole('dialog', { name: 'Edit filter' })
    await edit.getByRole('button', { name: 'Remove word 2' }).click()
    await edit.getByRole('radio', { name: 'Hide' }).check()
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit.waitFor({ state: 'detached' })
    expect((await wren.get('/api/v2/filters')).ok()).toMatchObject([
      { filter_action: 'hide', expires_at: filter.expires_at, keywords: [{ keyword: turnips }] },
    ])
    await list.getByRole('button', { name: 'Filter this post no more' }).click()
    await list.getByText('One filtered post').waitFor({ state: 'detached' })
    await list.getByRole('button', { name: `Delete ${turnips}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('You filter nothing yet.').waitFor()
  })

  test('a server is hidden after it is said what ends by it, and shown again', async () => {
    const wren = await web.app.person()
    const page = await web.open('/domain_blocks', { as: wren })
    await page.getByText('You see posts of all servers.').waitFor()
    await page.getByRole('textbox', { name: 'Name of the server' }).fill('https://noise.example/about')
    await page.getByRole('button', { name: 'Hide a server' }).click()
    const dialog = page.getByRole('dialog', { name: 'Hide all of noise.example?' })
    await dialog.getByText('Nobody from there follows you').waitFor()
    await dialog.getByRole('button', { name: 'Hide a server' }).click()
    await page.getByRole('status').getByText('noise.example is hidden').waitFor()
    expect(await findings(web, page, 'domain-blocks')).toEqual([])
    expect((await wren.get('/api/v1/domain_blocks')).ok()).toEqual(['noise.example'])
    await page.getByRole('button', { name: 'Show again' }).click()
    await page.getByText('You see posts of all servers.').waitFor()
    await page.getByRole('status').getByText('noise.example is shown again').waitFor()
    expect((await wren.get('/api/v1/domain_blocks')).ok()).toEqual([])
  })
})
