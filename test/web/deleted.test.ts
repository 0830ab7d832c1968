// Posts that are deleted while somebody looks at them, in a browser.
import { describe, expect, test } from 'vitest'
import type { Page, WebSocketRoute } from 'playwright-core'
import type { Person } from '#test/people/people.ts'
import { describeWeb } from '#test/web/web.ts'

describeWeb('a post that is deleted', (web) => {
  const article = (page: Page, text: string) =>
    page.locator('main').getByRole('article').filter({ hasText: text })
  const focused = (page: Page) => page.locator(':focus')

  /** A page, and how its stream says that a post was deleted. */
  async function watch(path: string, as: Person) {
    const page = await (await web.context({ as })).newPage()
    const opened = Promise.withResolvers<WebSocketRoute>()
    await page.routeWebSocket('**/api/v1/streaming', opened.resolve)
    await page.goto(web.app.ctx.config.baseUrl + path)
    const socket = await opened.promise
    const deliverDelete = (payload: string) =>
      socket.send(JSON.stringify({ stream: ['user'], event: 'delete', payload }))
    return { page, deliverDelete }
  }

  async function removeByMenu(page: Page, text: string, words: string): Promise<void> {
    await article(page, text).first().getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: words, exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: words }).click()
  }

  const marks = ['bookmark', 'favourite', 'pin']

  async function say(wren: Person, robin: Person, text: string): Promise<string> {
    const { id } = await wren.say(text)
    for (const mark of marks) (await wren.post(`/api/v1/statuses/${id}/${mark}`)).ok()
    ;(await robin.post(`/api/v1/statuses/${id}/favourite`)).ok()
    return id
  }

  test('in another window leaves all that shows it, and the focus goes on', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    const stays = await say(wren, robin, 'a lasting warble')
    const gone = await say(wren, robin, 'a hasty warble')
    await web.app.untilDone()
    // Of what is muted nothing more is told.
    for (const id of [stays, gone]) (await wren.post(`/api/v1/statuses/${id}/mute`)).ok()
    const search = 'search?q=warble'
    for (const path of [
      'bookmarks',
      'favourites',
      'notifications',
      'mutes/conversations',
      `@${wren.username}`,
      search,
      `${search}&type=statuses`,
    ]) {
      const { page, deliverDelete } = await watch(`/${path}`, wren)
      const post = article(page, 'a hasty warble')
      await article(page, 'a lasting warble').first().waitFor()
      await post.first().focus()
      deliverDelete(gone)
      await post.first().waitFor({ state: 'detached' })
      expect(await page.getByText('a hasty warble').count()).toBe(0)
      await article(page, 'a lasting warble').first().and(focused(page)).waitFor()
      await page.close()
    }
    await robin.say('look at this', { quoted_status_id: gone })
    ;(await robin.post(`/api/v1/statuses/${gone}/reblog`)).ok()
    const { page, deliverDelete } = await watch(`/@${robin.username}`, wren)
    await page.getByRole('blockquote').getByText('a hasty warble').waitFor()
    await article(page, 'boosted').waitFor()
    deliverDelete(gone)
    await page.getByText('The quoted post was deleted.').waitFor()
    await article(page, 'boosted').waitFor({ state: 'detached' })
  })
  test('here leaves the pinned posts and the feed below them, and the focus goes to what is pinned beside it', async () => {
    const wren = await web.app.person()
    for (const text of ['neither', 'the other', 'the one']) {
      const { id } = await wren.say(text)
      if (text !== 'neither') (await wren.post(`/api/v1/statuses/${id}/pin`)).ok()
    }
    const page = await web.open(`/@${wren.username}`, { as: wren })
    const pinned = page.getByRole('region', { name: 'Pinned' })
    await removeByMenu(page, 'the one', 'Delete')
    await expect.poll(() => article(page, 'the one').count()).toBe(0)
    await pinned.getByRole('article').filter({ hasText: 'the other' }).and(focused(page)).waitFor()
    await removeByMenu(page, 'the other', 'Delete')
    await article(page, 'neither').and(focused(page)).waitFor()
    expect(await pinned.count()).toBe(0)
    await page.getByRole('status').getByText('Deleted').first().waitFor()
  })

  test('is no longer in its thread, whose other answers stay', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    const root = await robin.say('What sings?')
    const main = await wren.say('A robin.', { in_reply_to_id: root.id })
    const wrong = await wren.say('A stone.', { in_reply_to_id: main.id })
    await robin.say('Stones are mute.', { in_reply_to_id: wrong.id })
    const { page, deliverDelete } = await watch(`/@${wren.username}/${main.id}`, wren)
    await page.getByRole('heading', { name: '2 answers' }).waitFor()
    await article(page, 'What sings?').focus()
    deliverDelete(root.id)
    await article(page, 'A robin.').and(focused(page)).waitFor()
    await removeByMenu(page, 'A stone.', 'Delete')
    await article(page, 'Stones are mute.').and(focused(page)).waitFor()
    await page.getByRole('heading', { name: 'One answer', exact: true }).waitFor()
    await article(page, 'A robin.').focus()
    deliverDelete(main.id)
    await page.getByRole('status').getByText('This post was deleted.').waitFor()
    await article(page, 'Stones are mute.').and(focused(page)).waitFor()
    await page.getByRole('heading', { name: 'Post', exact: true }).waitFor()
    expect(await page.getByRole('article').count()).toBe(1)
  })

  test('on its own page leads back to where one came from, with what it said where it is written anew', async () => {
    const wren = await web.app.person()
    for (const text of ['the first', 'the second']) await wren.say(text)
    const page = await web.open('/bookmarks', { as: wren })
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    for (const [text, words] of [
      ['the second', 'Delete'],
      ['the first', 'Delete and redraft'],
    ] as const) {
      await article(page, text).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('region', { name: 'Thread' }).waitFor()
      await removeByMenu(page, text, words)
      await page.getByRole('heading', { name: 'Home' }).waitFor()
      expect(await article(page, text).count()).toBe(0)
    }
    const field = page.getByRole('dialog').getByRole('textbox', { name: 'What is on your mind?' })
    await field.and(focused(page)).waitFor()
    expect(await field.inputValue()).toBe('the first')
  })

  describe('of which no stream tells', () => {
    const gone = 'That is not there any more, or not for you.'

    /** Who looks does not follow its author. */
    async function saidByAnother(text: string) {
      const [wren, robin] = [await web.app.person(), await web.app.person()]
      const { id } = await robin.say(text)
      const remove = async () => {
        ;(await robin.delete(`/api/v1/statuses/${id}`)).ok()
        await web.app.untilDone()
      }
      return { wren, robin, id, remove }
    }

    test('leaves with a word when somebody does something to it', async () => {
      web.expectComplaints()
      const { wren, robin, remove } = await saidByAnother('a passing call')
      await robin.say('a second call')
      await robin.say('which?', { poll: { options: ['This', 'That'], expires_in: 3600 } })
      await web.app.untilDone()
      const page = await web.open(`/@${robin.username}`, { as: wren })
      const post = article(page, 'a passing call')
      await post.waitFor()
      await remove()
      await post.getByRole('button', { name: 'Favourite' }).click()
      await page.getByRole('status').getByText(gone).waitFor()
      await post.waitFor({ state: 'detached' })
      await article(page, 'a second call').waitFor()
      const poll = article(page, 'which?')
      const [{ id }] = (await robin.get(`/api/v1/accounts/${robin.accountId}/statuses`)).ok()
      ;(await robin.delete(`/api/v1/statuses/${id}`)).ok()
      await web.app.untilDone()
      await poll.getByRole('radio', { name: 'That' }).check()
      await poll.getByRole('button', { name: 'Vote' }).click()
      await poll.waitFor({ state: 'detached' })
      expect(await page.getByRole('alert').count()).toBe(0)
    })

    test('leaves a list with a word when somebody comes back to it, from another view or another window', async () => {
      const { wren, robin, id, remove } = await saidByAnother('a brief call')
      const last = await robin.say('the last call')
      const stays = await robin.say('a lasting call')
      const page = await web.open(`/@${robin.username}`, { as: wren })
      await article(page, 'a lasting call').focus()
      await page.keyboard.press('Enter')
      await page.getByRole('region', { name: 'Thread' }).waitFor()
      await remove()
      ;(await robin.post(`/api/v1/statuses/${stays.id}/favourite`)).ok()
      await page.goBack()
      await page.getByRole('status').getByText('A post is not there any more').waitFor()
      expect(await page.locator(`[data-status="${id}"]`).count()).toBe(0)
      const favourite = article(page, 'a lasting call').getByRole('button', { name: 'Favourite' })
      await favourite.and(page.locator('[aria-description="1"]')).waitFor()
      ;(await robin.delete(`/api/v1/statuses/${last.id}`)).ok()
      await web.app.untilDone()
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
      await article(page, 'the last call').waitFor({ state: 'detached' })
    })

    test('has a page that says so, and no answer to it loses what was written', async () => {
      web.expectComplaints()
      const { wren, robin, id, remove } = await saidByAnother('a call to answer')
      const page = await web.open(`/@${robin.username}`, { as: wren })
      await article(page, 'a call to answer').getByRole('button', { name: 'Reply' }).click()
      const dialog = page.getByRole('dialog')
      const field = dialog.getByRole('textbox', { name: 'What is on your mind?' })
      await field.fill('a long answer')
      await remove()
      await field.press('Control+Enter')
      await page.getByRole('status').getByText(gone).waitFor()
      await dialog.getByRole('button', { name: 'Do not reply to it' }).click()
      expect(await field.inputValue()).toBe('a long answer')
      await field.press('Control+Enter')
      await page.getByRole('status').getByText('Published', { exact: true }).waitFor()
      const [said] = (await wren.get(`/api/v1/accounts/${wren.accountId}/statuses`)).ok()
      expect(said).toMatchObject({ content: '<p>a long answer</p>', in_reply_to_id: null })
      await page.goto(`${web.app.ctx.config.baseUrl}/@${robin.username}/${id}`)
      await page.getByRole('main').getByText(gone).waitFor()
    })
  })
})
