// The app without a network: what was read opens, what is written waits, and nothing that is kept opens the account.
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { describeWeb } from '#test/web/web.ts'

/** Runs in the page: everything that the browser keeps of this site, as one text. */
const everythingKept = `(async () => {
  const parts = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })]
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    for (const request of await cache.keys()) {
      const response = await cache.match(request)
      parts.push(request.url)
      if (/text|json/.test(response.headers.get('content-type'))) parts.push(await response.text())
    }
  }
  for (const { name } of await indexedDB.databases()) {
    const db = await new Promise((resolve) => { const r = indexedDB.open(name); r.onsuccess = () => resolve(r.result) })
    for (const store of db.objectStoreNames) {
      const all = await new Promise((resolve) => {
        const r = db.transaction(store).objectStore(store).getAll(); r.onsuccess = () => resolve(r.result)
      })
      parts.push(JSON.stringify(all))
    }
    db.close()
  }
  return parts.join('\\n')
})()`

/** Resolves when the service worker looks after the page. */
async function untilControlled(page: Page): Promise<void> {
  await page.evaluate(`navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller ? null :
    new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }))).then(() => null)`)
}

describeWeb(
  'without a network',
  (web) => {
    test('the last timeline opens, a post that is written waits, and goes out once when the network is back', async () => {
      const wren = await web.app.person()
      await wren.say('read before the tunnel')
      const context = await web.context({ as: wren })
      const page = await context.newPage()
      await page.goto(`${web.app.ctx.config.baseUrl}/home`)
      await page.getByText('read before the tunnel').waitFor()
      await untilControlled(page)
      web.expectComplaints()
      await context.setOffline(true)
      await page.reload()
      await page.getByRole('article').filter({ hasText: 'read before the tunnel' }).waitFor()
      const form = page.getByRole('form', { name: 'New post' })
      await form.getByRole('textbox', { name: 'What is on your mind?' }).fill('written in the tunnel')
      await form.getByRole('button', { name: 'Publish' }).click()
      await page.getByRole('status').getByText('the post waits').waitFor()
      await context.setOffline(false)
      await page.getByRole('status').getByText('is published').waitFor()
      // Asked again, it has nothing to send.
      await page.reload()
      await page.getByRole('article').filter({ hasText: 'written in the tunnel' }).waitFor()
      const { body } = await wren.get(`/api/v1/accounts/${wren.accountId}/statuses`)
      const texts = (body as { content: string }[]).map(({ content }) => content)
      expect(texts.filter((text) => text.includes('written in the tunnel'))).toHaveLength(1)
    })

    test('what a view could not read says so, and comes by itself when the network is back', async () => {
      const wren = await web.app.person()
      ;(await wren.post('/api/v1/lists', { title: 'Warblers' })).ok()
      await wren.post(`/api/v1/statuses/${(await wren.say('keep this')).id}/bookmark`)
      const page = await web.open('/home', { as: wren })
      await page.getByRole('heading', { name: 'Home' }).waitFor()
      // The views themselves are kept from now on.
      await untilControlled(page)
      web.expectComplaints()
      for (const [link, shown] of [
        ['Lists', page.getByRole('link', { name: 'Warblers' })],
        ['Bookmarks', page.getByRole('article').filter({ hasText: 'keep this' })],
        ['Your profile', page.getByRole('article').filter({ hasText: 'keep this' })],
      ] as const) {
        await page.context().setOffline(true)
        await page.getByRole('link', { name: link, exact: true }).click()
        await page
          .getByRole('heading', { name: link === 'Your profile' ? wren.username : link })
          .first()
          .waitFor()
        await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
        await page.context().setOffline(false)
        await shown.waitFor()
        await expect.poll(() => page.getByRole('alert').count()).toBe(0)
      }
    })

    test('nothing that the browser keeps opens the account, and signing out forgets what was read [AUTH-22]', async () => {
      const wren = await web.app.person()
      await wren.say('seen and kept')
      const page = await web.open('/home', { as: wren })
      await page.getByText('seen and kept').waitFor()
      await untilControlled(page)
      const asked = page.waitForRequest((request) => 'authorization' in request.headers())
      // The second document comes through the service worker.
      await page.goto(`${web.app.ctx.config.baseUrl}/bookmarks`)
      await page.getByRole('link', { name: 'Favourites' }).first().click()
      const token = (await asked).headers()['authorization']?.replace('Bearer ', '') ?? ''
      expect(token).toMatch(/^[\w-]{43}$/)
      const kept = String(await page.evaluate(everythingKept))
      expect(kept).toContain('seen and kept')
      expect(kept).toContain('/app/shell')
      expect(kept).not.toContain(token)
      expect(kept.match(/"token":(?!null)/)).toBeNull()
      // Nor does a script find it in the page.
      expect(await page.content()).not.toContain(token)
      // Also on a page that knows nothing of what is kept.
      await page.goto(`${web.app.ctx.config.baseUrl}/auth/edit`)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
      expect(await page.evaluate(everythingKept)).not.toContain('seen and kept')
    })
  },
  { hasServiceWorker: true },
)
