// A post in its thread, and who did what with it, in a browser.
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { ensureActor } from '#federation/ingest/actors/actor.ts'
import { ingestStatus } from '#federation/ingest/notes/status.ts'
import { startPeer } from '#test/peer/peer.ts'
import type { Person } from '#test/people/people.ts'
import { findings } from '#test/web/findings.ts'
import { setSetting } from '#domain/server/instance/settings.ts'
import { describeWeb } from '#test/web/web.ts'
import { isNight } from '#test/run/night.ts'

const env = { LOCAL_HTTPS: 'false', ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' }

describeWeb(
  'threads',
  (web) => {
    async function lay(wren: Person, robin: Person) {
      const root = await robin.say('What sings at night?')
      const main = await wren.say('The nightingale, of course.', { in_reply_to_id: root.id })
      const more = await wren.say('And the reed warbler.', { in_reply_to_id: main.id })
      const answer = await robin.say('And the thrush?', { in_reply_to_id: main.id })
      let last = answer
      for (let depth = 0; depth < 7; depth++)
        last = await (depth % 2 === 0 ? wren : robin).say(`deeper ${depth}`, { in_reply_to_id: last.id })
      const late = await robin.say('Not in winter.', { in_reply_to_id: more.id })
      return { root, main, more, answer, late }
    }

    test('what it answers stands above, the author goes on below, and answers are a tree that folds', async () => {
      const wren = await web.app.person()
      const robin = await web.app.person()
      const { main, answer } = await lay(wren, robin)
      const page = await web.open(`/@${wren.username}/${main.id}`, { as: wren })
      const thread = page.getByRole('region', { name: 'Thread' })
      await thread.getByRole('article').first().waitFor()
      const texts = await thread.getByRole('article').allTextContents()
      const order = [
        'What sings',
        'nightingale',
        'reed warbler',
        'the thrush',
        'deeper 0',
        'deeper 3',
        'Not in winter',
      ]
      expect(order.map((text) => texts.findIndex((one) => one.includes(text)))).toEqual([0, 1, 2, 3, 4, 7, 8])
      await thread.getByRole('heading', { name: '10 answers' }).waitFor()
      expect(await findings(web, page, 'thread')).toEqual([])
      await thread.getByRole('link', { name: 'Continue here: 3 answers' }).waitFor()
      await thread.getByRole('button', { name: 'Hide 7 answers' }).click()
      await thread.getByText('deeper 0').waitFor({ state: 'detached' })
      await thread.getByRole('button', { name: 'Show 7 answers' }).click()
      await thread.getByRole('link', { name: 'Continue here: 3 answers' }).click()
      await page.getByRole('region', { name: 'Thread' }).getByText('deeper 6').waitFor()
      await page.goBack()
      await page.locator(`[data-status="${answer.id}"]`).waitFor()
    })

    test('an answer that comes meanwhile is put in and told', async () => {
      const wren = await web.app.person()
      const robin = await web.app.person()
      const said = await wren.say('who is awake?')
      const page = await web.open(`/@${wren.username}/${said.id}`, { as: wren })
      await robin.say(`@${wren.username} I am`, { in_reply_to_id: said.id })
      await page.getByRole('status').getByText('1 new answer').waitFor()
      const answer = page.getByRole('region', { name: 'Thread' }).getByText('I am')
      expect(await answer.isVisible()).toBe(true)
    })

    test("a post counts one's own answer at once, and no longer when that is deleted, wherever it is shown", async () => {
      const [wren, robin] = [await web.app.person(), await web.app.person()]
      await wren.follow(robin)
      const asked = await robin.say('who counts along?')
      await web.app.untilDone()
      const page = await web.open('/home', { as: wren })
      const post = page.getByRole('article').filter({ hasText: 'who counts along?' })
      const reply = post.getByRole('button', { name: 'Reply' })
      const counted = (button: Locator, count: number) =>
        button
          .first()
          .and(page.locator(`[aria-description="${count}"]`))
          .waitFor()
      await reply.click()
      const dialog = page.getByRole('dialog', { name: 'Reply' })
      await dialog.getByRole('textbox').fill('I do')
      await dialog.getByRole('textbox').press('Control+Enter')
      await counted(reply, 1)
      await post.focus()
      await page.keyboard.press('Enter')
      const thread = page.getByRole('region', { name: 'Thread' })
      await counted(thread.getByRole('button', { name: 'Reply' }), 1)
      await robin.say('so do I', { in_reply_to_id: asked.id })
      await thread.getByText('so do I').waitFor()
      await counted(thread.getByRole('button', { name: 'Reply' }), 2)
      const own = thread.getByRole('article').filter({ hasText: 'I do' }).last()
      await own.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await counted(thread.getByRole('button', { name: 'Reply' }), 1)
      await page.goBack()
      await counted(reply, 1)
      expect(await post.count()).toBe(1)
    })

    test('answers that the server finds elsewhere meanwhile are put in and told', async () => {
      const { ctx, clock } = web.app
      const wren = await web.app.person()
      const peer = await startPeer('127.0.0.2', { app: { baseUrl: ctx.config.baseUrl, clock } })
      const finch = await peer.actor('finch')
      const author = await ensureActor(ctx, finch.uri)
      const note = finch.note('does anybody hear it?')
      const answer = finch.note('From far away', { inReplyTo: note.id })
      const replies = { id: `${note.id}/replies`, type: 'Collection', items: [answer.id] }
      peer.put(new URL(replies.id).pathname, replies)
      Object.assign(note, { replies: replies.id })
      const id = await ingestStatus(ctx, { document: note, author: author!, via: 'fetch' })
      await web.app.untilDone()
      // It is not so new that all its answers are known.
      clock.advance(10 * 60_000)
      const page = await web.open(`/@finch@${peer.domain}/${id}`, { as: wren })
      await page.getByRole('status').getByText('1 new answer').waitFor()
      await page.getByRole('heading', { name: 'One answer', exact: true }).waitFor()
      const posts = page.getByRole('region', { name: 'Thread' }).getByRole('article')
      expect((await posts.allTextContents()).at(-1)).toContain('From far away')
    })

    test.runIf(isNight)('the profile of somebody elsewhere is filled in the same way', async () => {
      const { ctx, clock } = web.app
      const wren = await web.app.person()
      const peer = await startPeer('127.0.0.2', { app: { baseUrl: ctx.config.baseUrl, clock } })
      const linnet = await peer.actor('linnet')
      const known = await ensureActor(ctx, linnet.uri)
      await web.app.untilDone()
      const outbox = new URL(String(linnet.document()['outbox'])).pathname
      const orderedItems = [{ type: 'Create', actor: linnet.uri, object: linnet.note('sung long ago').id }]
      peer.put(outbox, { id: peer.url(outbox), type: 'OrderedCollection', orderedItems })
      const { acct } = (await wren.get(`/api/v1/accounts/${known?.id}`)).ok()
      const page = await web.open(`/@${acct}`, { as: wren })
      await page.getByRole('status').getByText('1 new post').waitFor()
      const posts = await page.getByRole('feed').getByRole('article').allTextContents()
      expect(posts.join('')).toContain('sung long ago')
    })

    test('who boosted, favourited, quoted and reacted to it, and how it was changed', async () => {
      const wren = await web.app.person()
      const robin = await web.app.person()
      const said = await wren.say('a small grey bird')
      ;(await robin.post(`/api/v1/statuses/${said.id}/favourite`)).ok()
      ;(await robin.post(`/api/v1/statuses/${said.id}/reblog`)).ok()
      await setSetting(web.app.ctx, 'emoji_reactions', true)
      ;(await robin.put(`/api/v1/pleroma/statuses/${said.id}/reactions/${encodeURIComponent('🎉')}`)).ok()
      await robin.say('look', { quoted_status_id: said.id })
      ;(await wren.put(`/api/v1/statuses/${said.id}`, { status: 'a small brown bird' })).ok()
      const page = await web.open(`/@${wren.username}/${said.id}/history`, { as: wren })
      const latest = page.getByRole('article').first()
      await latest.getByText('brown').waitFor()
      expect(await latest.locator('del').textContent()).toBe('grey')
      expect(await latest.locator('ins').textContent()).toBe('brown')
      expect(await findings(web, page, 'history')).toEqual([])
      await page.getByRole('link', { name: 'Favourites' }).last().click()
      const list = page.getByRole('list', { name: 'Favourites' })
      await list.getByText(`@${robin.username}`).waitFor()
      expect(await findings(web, page, 'favourited-by')).toEqual([])
      const follow = list.getByRole('button', { name: 'Follow', exact: true })
      await follow.click()
      await list.getByRole('button', { name: 'Unfollow' }).waitFor()
      await page.getByRole('link', { name: 'Boosts' }).click()
      await page.getByRole('list', { name: 'Boosts' }).getByText(`@${robin.username}`).waitFor()
      await page.getByRole('link', { name: 'Quotes' }).click()
      await page.getByRole('feed', { name: 'Quotes' }).getByText('look').waitFor()
      await page.getByRole('link', { name: 'Reactions' }).click()
      await page.getByRole('region', { name: '🎉: 1 person' }).getByText(`@${robin.username}`).waitFor()
      expect(await findings(web, page, 'reactions')).toEqual([])
    })

    test('a post that a list shows is there at once, also where its thread cannot be had', async () => {
      web.expectComplaints()
      const wren = await web.app.person()
      const { id } = await wren.say('a slow river')
      await wren.say('and its delta', { in_reply_to_id: id })
      const page = await web.open('/home', { as: wren })
      const broken = new RegExp(`/api/v1/statuses/${id}`)
      await page.route(broken, (route) => route.fulfill({ status: 503 }))
      await page.getByRole('article').filter({ hasText: 'a slow river' }).focus()
      await page.keyboard.press('Enter')
      const thread = page.getByRole('region', { name: 'Thread' })
      await thread.getByText('a slow river').waitFor()
      await page.getByRole('alert').getByText('Something went wrong').waitFor()
      await page.unroute(broken)
      await page.getByRole('button', { name: 'Try again' }).click()
      await thread.getByText('and its delta').waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
    })

    test('a post that is not there is said so in words', async () => {
      web.expectComplaints()
      const wren = await web.app.person()
      const page = await web.open(`/@${wren.username}/1`, { as: wren })
      const said = await page.getByRole('alert').textContent()
      expect(said).toContain('That is not there any more, or not for you.')
    })
  },
  { env },
)
