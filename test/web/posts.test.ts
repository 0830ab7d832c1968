// Posts in a browser, with all that they carry.
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { setSetting } from '#domain/server/instance/settings.ts'
import { changeStart, expectHarmless, javascript, tricks } from '#test/web/tricks.ts'
import { describeWeb } from '#test/web/web.ts'
import { blackPng } from '#test/files/media-files.ts'
import type { Person } from '#test/people/people.ts'
import { patience } from '#test/run/patience.ts'

describeWeb('a post', (web) => {
  const postWith = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })

  async function attach(person: Person, description: string): Promise<string> {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(blackPng(640, 400))]), 'night.png')
    form.append('description', description)
    const headers = { authorization: `Bearer ${person.token}` }
    const answer = await web.app.fetch('/api/v2/media', { method: 'POST', headers, body: form })
    return ((await answer.json()) as { id: string }).id
  }

  test('stands behind its warning until it is asked for, with what is attached to it', async () => {
    const wren = await web.app.person()
    const media_ids = [await attach(wren, 'A black night')]
    await web.app.untilDone()
    await wren.say('the butler did it', { spoiler_text: 'How it ends', media_ids })
    const page = await web.open('/home', { as: wren })
    const post = postWith(page, 'How it ends')
    expect(await post.getByText('the butler did it').count()).toBe(0)
    await post.getByRole('button', { name: 'Show more' }).click()
    await post.getByText('the butler did it').waitFor()
    expect(await post.getByRole('img', { name: 'A black night' }).count()).toBe(0)
    await post.getByRole('button', { name: 'Show sensitive media' }).click()
    await post.getByRole('button', { name: 'Open: A black night' }).click()
    const viewer = page.getByRole('dialog', { name: 'Picture 1 of 1' })
    await viewer.getByRole('img', { name: 'A black night' }).waitFor()
    expect(await web.axe(page)).toEqual([])
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    const focused = await page.evaluate('document.activeElement.getAttribute("aria-label")')
    expect(focused).toBe('Open: A black night')
    await post.getByRole('button', { name: 'Show less' }).click()
    expect(await post.getByText('the butler did it').count()).toBe(0)
  })

  test('leaves lists when its author is muted or blocked, and the focus goes on', async () => {
    const [wren, robin, jay] = [await web.app.person(), await web.app.person(), await web.app.person()]
    for (const one of [robin, jay]) await wren.follow(one)
    await robin.say('a loud song')
    await jay.say('a harsh song')
    const heard = await robin.say(`@${wren.username} did you hear?`)
    ;(await jay.post(`/api/v1/statuses/${heard.id}/reblog`)).ok()
    await wren.say('a lasting song')
    await web.app.untilDone()
    const page = await web.open('/home', { as: wren })
    const choose = async (text: string, item: string, words: string) => {
      await postWith(page, text).first().getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: item }).click()
      await page.getByRole('dialog').getByRole('button', { name: words, exact: true }).click()
      await postWith(page, text).first().waitFor({ state: 'detached' })
    }
    await choose('a loud song', `Mute @${robin.username}`, 'Mute')
    expect(await postWith(page, 'did you hear?').count()).toBe(0)
    await choose('a harsh song', `Block @${jay.username}`, 'Block')
    await page.getByRole('article').and(page.locator(':focus')).waitFor()
    expect(await page.getByRole('main').getByRole('article').allTextContents()).toEqual([
      expect.stringContaining('a lasting song'),
    ])
    await page.getByRole('link', { name: 'Notifications', exact: true }).click()
    await page.getByRole('heading', { name: 'Notifications' }).waitFor()
    expect(await postWith(page, 'did you hear?').count()).toBe(0)
  })

  test('asks a question, which is answered by a vote', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    await wren.follow(robin)
    await robin.say('which?', { poll: { options: ['This', 'That'], expires_in: 3600 } })
    await web.app.untilDone()
    const page = await web.open('/home', { as: wren })
    const post = postWith(page, 'which?')
    await post.getByRole('radio', { name: 'That' }).check()
    await post.getByRole('button', { name: 'Vote' }).click()
    await post
      .getByRole('listitem')
      .filter({ hasText: 'That' })
      .getByRole('img', { name: 'Your answer' })
      .waitFor()
    await post.getByRole('listitem').filter({ hasText: '100%' }).filter({ hasText: 'That' }).waitFor()
    expect(await web.axe(page)).toEqual([])
  })

  test('shows what it quotes, and says why it does not', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    await wren.follow(robin)
    const first = await robin.say('quoted words')
    const gone = await robin.say('words that go')
    await robin.say('look at this', { quoted_status_id: first.id })
    await robin.say('look at that', { quoted_status_id: gone.id })
    await robin.delete(`/api/v1/statuses/${gone.id}`)
    await web.app.untilDone()
    const page = await web.open('/home', { as: wren })
    await postWith(page, 'look at this').getByRole('blockquote').getByText('quoted words').waitFor()
    const lost = postWith(page, 'look at that').getByText('The quoted post was deleted.')
    await lost.waitFor()
    expect(await postWith(page, 'look at that').getByRole('blockquote').count()).toBe(0)
  })

  test('that a filter warns of is shown when it is asked for, and one that it hides is not', async () => {
    const [wren, robin] = [await web.app.person(), await web.app.person()]
    await wren.follow(robin)
    for (const [title, word, filter_action] of [
      ['Spoilers', 'dragon', 'warn'],
      ['Noise', 'racket', 'hide'],
    ] as const)
      await wren.post('/api/v2/filters', {
        title,
        context: ['home'],
        filter_action,
        keywords_attributes: [{ keyword: word, whole_word: true }],
      })
    await robin.say('here be a dragon')
    await robin.say('such a racket')
    await web.app.untilDone()
    const page = await web.open('/home', { as: wren })
    const post = page.getByRole('article').filter({ hasText: 'Filtered: Spoilers' })
    await post.waitFor()
    expect(await page.getByText(/dragon|racket/).count()).toBe(0)
    await post.getByRole('button', { name: 'Show anyway' }).click()
    await page.getByText('here be a dragon').waitFor()
  })

  test('has code that is wider than the page, which is scrolled by keys', async () => {
    await setSetting(web.app.ctx, 'markdown_statuses', true)
    const wren = await web.app.person()
    const code = `\`\`\`\n${'hop '.repeat(100)}\n\`\`\``
    const { id } = await wren.say(code, { content_type: 'text/markdown' })
    const viewport = { width: 390, height: 800 }
    for (const path of ['/home', `/@${wren.username}/${id}`, `/@${wren.username}/${id}?plain`]) {
      const page = await web.open(path, { as: wren, viewport })
      const shown = page.locator('pre')
      await shown.waitFor()
      expect([path, await web.axe(page)]).toEqual([path, []])
      expect((await shown.boundingBox())?.width).toBeLessThan(viewport.width)
      await shown.focus()
      await page.keyboard.press('ArrowRight')
      await expect
        .poll(() => shown.evaluate((pre: { scrollLeft: number }) => pre.scrollLeft))
        .toBeGreaterThan(0)
    }
  })

  test('is deleted from its menu by keyboard alone, after a question', async () => {
    const wren = await web.app.person()
    const said = await wren.say('to be regretted')
    const page = await web.open('/home', { as: wren })
    const post = postWith(page, 'to be regretted')
    await post.getByRole('button', { name: 'More', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Open the thread' }).and(page.locator(':focus')).waitFor()
    expect(await web.axe(page)).toEqual([])
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: 'Delete this post?' })
    const answered = page.waitForResponse((response) => response.request().method() === 'DELETE')
    await question.getByRole('button', { name: 'Delete' }).click()
    await post.waitFor({ state: 'detached' })
    await answered
    expect((await wren.get(`/api/v1/statuses/${said.id}`)).status).toBe(404)
  })

  test('gives the focus to what is beside it when it was deleted, which is told', async () => {
    const wren = await web.app.person()
    for (const text of ['the lowest', 'in between', 'the highest']) await wren.say(text)
    const page = await web.open('/home', { as: wren })
    const remove = async (text: string) => {
      await postWith(page, text).getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await postWith(page, text).waitFor({ state: 'detached' })
    }
    const focused = page.locator(':focus')
    await remove('in between')
    await postWith(page, 'the lowest').and(focused).waitFor()
    await page.getByRole('status').getByText('Deleted').waitFor()
    await remove('the lowest')
    await postWith(page, 'the highest').and(focused).waitFor()
    await remove('the highest')
    await page.getByRole('heading', { name: 'Home' }).and(focused).waitFor()
    const said = async () => (await wren.get(`/api/v1/accounts/${wren.accountId}/statuses`)).ok()
    await expect.poll(said, { timeout: patience }).toEqual([])
  })

  test('with every known trick in texts, names, descriptions and emoji runs nothing [CNT-24]', async () => {
    const [wren, mallory] = [await web.app.person(), await web.app.person('mallory')]
    await wren.follow(mallory)
    await mallory.say('a harmless card')
    await mallory.say('a harmless text', { poll: { options: ['one', 'two'], expires_in: 3600 } })
    await web.app.untilDone()
    const context = await web.context({ as: wren })
    await changeStart(context, '**/home', (answers) => {
      const posts = answers['/api/v1/timelines/home?limit=20']?.body as TrickedStatus[] | undefined
      for (const [index, status] of (posts ?? []).entries()) trick(status, index === 0)
    })
    // The content policy refuses what the parser meets, though it would not run it.
    web.expectComplaints()
    const asked: string[] = []
    context.on('request', (request) => asked.push(request.url()))
    const page = await context.newPage()
    await page.goto(`${web.app.ctx.config.baseUrl}/home`)
    for (let hidden = 2; hidden > 0; hidden--)
      await page.getByRole('button', { name: 'Show more' }).first().click()
    const post = page.getByRole('article').filter({ hasText: 'styled' }).first()
    for (const words of await post.getByText(/^(?:click|data|x|styled)$/).all())
      await words.click({ force: true })
    await expectHarmless(page)
    const isRemote = (url: string) => /^https?:/.test(url) && !url.startsWith(web.app.ctx.config.baseUrl)
    expect(asked.filter(isRemote)).toEqual([])
  })

  test('by somebody whose profile has every known trick in its name, note and fields run nothing [CNT-24]', async () => {
    const [wren, mallory] = [await web.app.person(), await web.app.person('mallory')]
    const context = await web.context({ as: wren })
    const all = tricks.join('')
    await changeStart(context, `**/@${mallory.username}`, (answers) => {
      const found = answers[`/api/v1/accounts/lookup?acct=${mallory.username}`]
      Object.assign(found?.body as object, {
        display_name: all,
        note: all,
        url: javascript,
        fields: [
          { name: all, value: all, verified_at: '2026-01-01T00:00:00.000Z' },
          { name: javascript, value: `<a href="${javascript}" rel="me">field</a>`, verified_at: null },
        ],
      })
    })
    web.expectComplaints()
    const page = await context.newPage()
    await page.goto(`${web.app.ctx.config.baseUrl}/@${mallory.username}`)
    await page.getByText('field', { exact: true }).click({ force: true })
    for (const words of await page.getByText(/^(?:click|data|x|styled)$/).all())
      await words.click({ force: true })
    expect(await page.getByText('field', { exact: true }).count()).toBe(1)
    await expectHarmless(page)
  })
})

interface TrickedStatus {
  content: string
  spoiler_text: string
  language: string
  account: { display_name: string; avatar_static: string; acct: string }
  poll: { options: { title: string }[] }
  emojis: object[]
  card: object
  media_attachments: object[]
  mentions: object[]
}

/** Puts tricks into all that somebody can write. */
function trick(status: TrickedStatus, hasPoll: boolean): void {
  const all = tricks.join('')
  status.content = all
  status.spoiler_text = all
  status.language = '"><script>globalThis.caught=1</script>'
  status.account.display_name = all
  if (hasPoll) status.poll.options = [{ title: all }, { title: javascript }]
  status.emojis = [{ shortcode: 'x', url: javascript, static_url: javascript, visible_in_picker: true }]
  status.mentions = [{ id: '1', username: all, acct: all, url: javascript }]
  const media = { preview_url: javascript, remote_url: javascript, meta: {}, description: all, blurhash: all }
  const card = {
    type: 'video',
    title: all,
    description: all,
    provider_name: all,
    author_name: all,
    authors: [],
  }
  const addresses = { url: javascript, image: javascript, embed_url: javascript, provider_url: javascript }
  if (hasPoll)
    status.media_attachments = [
      { id: '1', type: 'image', url: javascript, ...media },
      { id: '2', type: 'unknown', url: null, ...media },
    ]
  else status.card = { ...card, ...addresses, html: all, width: 400, height: 300, blurhash: all }
}
