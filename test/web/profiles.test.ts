// People in a browser: who they are, what they say, and what is done to them.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeWeb } from '#test/web/web.ts'
import { often } from '#test/run/patience.ts'
import { findings } from '#test/web/findings.ts'

/** What ends beyond the window and is not cut there. */
const farther = `[...document.querySelectorAll('main *')]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
  .filter((one) => {
    for (let at = one.parentElement; at; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== 'visible') return false
    return true
  })
  .map((one) => one.tagName + ' ' + one.textContent.slice(0, 30))`

describeWeb('profiles', (web) => {
  test('a profile has its posts, what is pinned first, and its other parts by its tabs', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    const profile = {
      display_name: 'Robin',
      note: 'Sings at dusk',
      fields_attributes: [{ name: 'Nest', value: 'Ivy' }],
    }
    ;(await robin.patch('/api/v1/accounts/update_credentials', profile)).ok()
    const asked = await wren.say('who sings?')
    const first = await robin.say('read me first')
    ;(await robin.post(`/api/v1/statuses/${first.id}/pin`)).ok()
    await robin.say('read me later')
    await robin.say('to nobody but wren', { in_reply_to_id: asked.id })
    ;(await robin.post('/api/v1/featured_tags', { name: 'dusk' })).ok()
    const page = await web.open(`/@${robin.username}`, { as: wren })
    const head = page.getByRole('region', { name: 'Robin' })
    await head.getByText('Sings at dusk').waitFor()
    await head.getByText('Ivy').waitFor()
    await page.getByRole('region', { name: 'Pinned' }).getByText('read me first').waitFor()
    const feed = page.getByRole('feed', { name: 'Posts by Robin' })
    await feed.getByText('read me later').waitFor()
    expect(await feed.getByText('to nobody').count()).toBe(0)
    expect(await findings(web, page, 'profile')).toEqual([])
    await page.getByRole('link', { name: 'Posts and replies' }).click()
    await feed.getByText('to nobody but wren').waitFor()
    await page.getByRole('link', { name: 'Featured' }).click()
    await page.getByRole('link', { name: '#dusk' }).waitFor()
    await page.getByRole('link', { name: 'Media', exact: true }).click()
    await page.getByText('There are no media here yet.').waitFor()
  })

  test('what is pinned there stands above the others at once, and no longer when it is not', async () => {
    const wren = await web.app.person()
    await wren.say('worth reading first')
    const page = await web.open(`/@${wren.username}`, { as: wren })
    const pinned = page.getByRole('region', { name: 'Pinned' })
    const choose = async (item: string) => {
      const post = page.getByRole('article').filter({ hasText: 'worth reading first' }).first()
      await post.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose('Pin to your profile')
    await pinned.getByText('worth reading first').waitFor()
    await choose('Unpin from your profile')
    await pinned.waitFor({ state: 'detached' })
    expect(await page.getByRole('article').count()).toBe(1)
  })

  test('what is counted changes by what is done there', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    for (const text of ['one egg', 'two eggs']) await wren.say(text)
    const page = await web.open(`/@${robin.username}`, { as: wren })
    const count = (name: string) => page.getByRole('link', { name, exact: true }).waitFor()
    await count('0 followers')
    await page.getByRole('button', { name: 'Follow', exact: true }).click()
    await count('1 follower')
    await page.getByRole('button', { name: 'Unfollow' }).click()
    await count('0 followers')
    await page.goto(`${web.app.ctx.config.baseUrl}/@${wren.username}`)
    await count('2 posts')
    const post = page.getByRole('article').filter({ hasText: 'one egg' })
    await post.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await count('1 post')
    await page.keyboard.press('n')
    const form = page.getByRole('form', { name: 'New post' })
    await form.getByRole('textbox', { name: 'What is on your mind?' }).fill('three eggs')
    await form.getByRole('button', { name: 'Publish' }).click()
    await count('2 posts')
    const { followers_count: followers } = (await wren.get(`/api/v1/accounts/${robin.accountId}`)).ok()
    expect(followers).toBe(0)
  })

  test('a name of many letters leaves the head of the page two lines high', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    ;(await robin.patch('/api/v1/accounts/update_credentials', { display_name: 'W'.repeat(30) })).ok()
    const said = await robin.say('a short word')
    const page = await web.open(`/@${robin.username}/${said.id}`, {
      as: wren,
      viewport: { width: 320, height: 700 },
    })
    const heading = page.getByRole('heading', { level: 1, name: 'W'.repeat(30) })
    await heading.waitFor()
    const lines = await page.evaluate<number>(`(() => {
      const { height, lineHeight } = getComputedStyle(document.querySelector('h1'))
      return parseFloat(height) / parseFloat(lineHeight)
    })()`)
    expect(Math.round(lines)).toBe(2)
  })

  test('words without an end make no view wider than the window', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    const word = 'W'.repeat(110)
    const profile = {
      display_name: 'D'.repeat(30),
      note: word,
      fields_attributes: [{ name: word, value: word }],
    }
    ;(await robin.patch('/api/v1/accounts/update_credentials', profile)).ok()
    ;(await wren.post(`/api/v1/accounts/${robin.accountId}/note`, { comment: word })).ok()
    const filter = { title: word, context: ['home'], keywords_attributes: [{ keyword: word }] }
    ;(await wren.post('/api/v2/filters', filter)).ok()
    const poll = { options: ['O'.repeat(50), 'P'.repeat(50)], expires_in: 3600 }
    const asked = await robin.say(`@${wren.username} which?`, { poll })
    const said = await robin.say(word, { spoiler_text: word })
    ;(await robin.put(`/api/v1/statuses/${said.id}`, { status: word + word })).ok()
    await web.app.untilDone()
    const page = await web.open('/filters', { as: wren, viewport: { width: 390, height: 844 } })
    const of = `/@${robin.username}`
    const views = [
      ['/filters', word],
      ['/notifications', 'which?'],
      [of, 'which?'],
      [`${of}/${asked.id}`, 'which?'],
      [`${of}/${said.id}/history`, word + word],
    ] as const
    for (const [path, text] of views) {
      await page.goto(web.app.ctx.config.baseUrl + path)
      await page.getByRole('main').getByText(text).first().waitFor()
      expect({ path, farther: await page.evaluate(farther) }).toEqual({ path, farther: [] })
    }
    await page.goto(`${web.app.ctx.config.baseUrl}/share?text=${word}`)
    const field = page.getByRole('form', { name: 'New post' }).getByRole('textbox').first()
    await expect.poll(() => field.inputValue(), often).toContain(word)
    expect(await page.evaluate(farther)).toEqual([])
  })

  test('posts of several lines stand one below the other in a report, and not on each other', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    for (let number = 1; number <= 8; number++) await robin.say(`${number} ${'many words '.repeat(12)}`)
    const viewport = { width: 390, height: 844 }
    const page = await web.open(`/@${robin.username}`, { as: wren, viewport })
    await page.getByRole('article').first().getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: `Report @${robin.username}` }).click()
    const posts = page.getByRole('group', { name: 'Which posts?' })
    await expect.poll(() => posts.getByRole('checkbox').count()).toBe(8)
    const labels = posts.locator('label')
    for (const size of ['100%', '200%']) {
      await page.evaluate(`document.documentElement.style.fontSize = '${size}'`)
      const found = await labels
        .locator('span')
        .evaluateAll((all) =>
          all
            .map((one) => one.getBoundingClientRect())
            .flatMap(({ top, bottom }) => [Math.ceil(top), Math.floor(bottom)]),
        )
      expect(found).toEqual(found.toSorted((one, other) => one - other))
    }
  })

  test('somebody is followed, with a note for oneself, muted for a while and reported', async () => {
    // As long as names get, and an address that nothing breaks.
    const [wren, robin] = [await web.app.person(), await web.app.person('robin_with_a_rather_long_name')]
    const said = await robin.say(`buy my seeds https://seeds.example/${'meadow/'.repeat(12)}`)
    const page = await web.open(`/@${robin.username}`, { as: wren })
    await page.getByRole('article').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: `Report @${robin.username}` }).click()
    const ofPost = page.getByRole('dialog', { name: `Report @${robin.username}` })
    expect(await ofPost.getByRole('checkbox', { name: 'buy my seeds' }).isChecked()).toBe(true)
    await ofPost.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Follow', exact: true }).click()
    await page.getByRole('button', { name: 'Unfollow' }).waitFor()
    await page.getByRole('link', { name: '1 follower' }).click()
    await page.getByRole('list', { name: 'Followers' }).getByText(`@${wren.username}`).waitFor()
    await page.getByRole('button', { name: 'Add a note for yourself' }).click()
    await page.getByRole('textbox', { name: 'Your note' }).fill('met at the pond')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('met at the pond').waitFor()
    await page.getByRole('region').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: `Mute @${robin.username}` }).click()
    const mute = page.getByRole('dialog', { name: `Mute @${robin.username}?` })
    await mute.getByRole('combobox').selectOption({ label: '1 day' })
    expect(await findings(web, page, 'mute')).toEqual([])
    await mute.getByRole('button', { name: 'Mute', exact: true }).click()
    await page.getByRole('region').getByText('Muted').waitFor()
    await page.getByRole('region').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: `Report @${robin.username}` }).click()
    const report = page.getByRole('dialog', { name: `Report @${robin.username}` })
    await report.getByRole('radio', { name: 'It is spam' }).check()
    await report.getByRole('checkbox', { name: 'buy my seeds' }).check()
    expect(await findings(web, page, 'report')).toEqual([])
    await report.getByRole('button', { name: 'Send the report' }).click()
    await page.getByRole('status').getByText('The report is sent. Thank you.').waitFor()
    // What one can do oneself is offered.
    await report.getByRole('button', { name: `Unfollow @${robin.username}` }).click()
    await report.getByRole('button', { name: /^Unfollow/ }).waitFor({ state: 'detached' })
    await report.getByText(`@${robin.username} is muted`).waitFor()
    await report.getByRole('button', { name: 'Done' }).click()
    await report.waitFor({ state: 'detached' })
    const [relationship] = (await wren.get(`/api/v1/accounts/relationships?id[]=${robin.accountId}`)).ok()
    expect(relationship).toMatchObject({ following: false, note: 'met at the pond', muting: true })
    expect(Date.parse(relationship.muting_expires_at)).toBeGreaterThan(Date.now())
    const { rows } = await sql<{ status_ids: string[]; category: string }>`
      select category, status_ids from reports where target_account_id = ${robin.accountId}`.execute(
      web.app.ctx.db,
    )
    expect(rows).toEqual([{ category: 'spam', status_ids: [said.id] }])
    // Who reads as a member of the team comes from there to what only the team sees.
    const onDesk = `@${robin.username} on the staff’s desk`
    await page.getByRole('region').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: /^Report/ }).waitFor()
    expect(await page.getByRole('menuitem', { name: onDesk }).count()).toBe(0)
    const staff = await web.app.person('staff', { role: 'Moderator' })
    const desk = await web.open(`/@${robin.username}`, { as: staff })
    await desk.getByRole('article').getByRole('button', { name: 'More' }).click()
    await desk.getByRole('menuitem', { name: onDesk }).click()
    await desk.waitForURL(`**/admin/accounts/${robin.accountId}`)
  })
})
