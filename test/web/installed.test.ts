// The app as it is installed on a device: what is pushed to it, what other apps share with it, and how it becomes newer.
// The service that pushes is the test's own: the browser's is out of reach, so that its part is played by the page.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { BrowserContext, Page } from 'playwright-core'
import { endOwnPushSubscription, listPushSubscriptions } from '#domain/reading/push/subscriptions.ts'
import { startPushService, type PushDevice } from '#test/servers/push-receiver.ts'
import { until } from '#test/run/patience.ts'
import type { Person } from '#test/people/people.ts'
import { describeWeb, type Web } from '#test/web/web.ts'

/** Runs in the page before its scripts: the browser's subscription is the one of the test. */
const playPushService = (subscription: PushDevice['subscription']) => `(() => {
  let made = null
  const given = { ...${JSON.stringify(subscription)}, toJSON: () => (${JSON.stringify(subscription)}), unsubscribe: async () => { made = null } }
  PushManager.prototype.getSubscription = async () => made
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => (made = applicationServerKey ? given : null)
})()`

async function untilReady(page: Page): Promise<void> {
  await page.evaluate(`navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller ? null :
    new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }))).then(() => null)`)
}

/** Gives the service worker a message, as the browser does that got it. */
async function deliver(page: Page, message: unknown): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const registrations = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [one] }) => {
      if (one) resolve(one.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const origin = new URL(page.url()).origin
  const registrationId = await registrations
  await session.send('ServiceWorker.deliverPushMessage', {
    origin,
    registrationId,
    data: JSON.stringify(message),
  })
  await session.detach()
}

/** Asked from outside: the page's policy lets nothing make code of a text in it. */
const untilTrue = (page: Page, expression: string) =>
  until(
    async () => (await page.evaluate(expression).catch(() => false)) === true,
    () => expression,
  )

/** Resolves when the app has told the server to where it pushes. */
const untilToldOfPush = (page: Page) =>
  page.waitForResponse(
    (answer) => answer.request().method() === 'POST' && answer.url().endsWith('/api/v1/push/subscription'),
  )

interface Shown {
  title: string
  body: string
  tag: string
  data: unknown
  actions: string[]
  badge: string
}

const shownOn = (context: BrowserContext): Promise<Shown[]> =>
  context.serviceWorkers()[0]!.evaluate(`registration.getNotifications().then((all) =>
    all.map(({ title, body, tag, data, badge, actions }) => ({ title, body, tag, data, badge, actions: actions.map((one) => one.action) })))`)

/** Counts what the worker has shown. Whoever asks for what is shown while it is being shown makes Chromium forget it. */
const countShown = `(() => {
  const show = registration.showNotification
  globalThis.shown = 0
  registration.showNotification = async (...given) => {
    await show.apply(registration, given)
    globalThis.shown++
  }
})()`

const untilShown = (context: BrowserContext, count: number) =>
  until(
    async () => (await context.serviceWorkers()[0]!.evaluate('globalThis.shown')) === count,
    () => `${count} notifications have been shown`,
  )

/** As somebody who touches the newest notification, or one of its buttons. */
const choose = (context: BrowserContext, action: string): Promise<void> =>
  context.serviceWorkers()[0]!.evaluate(`registration.getNotifications().then((all) => {
    dispatchEvent(new NotificationEvent('notificationclick', { notification: all.at(-1), action: ${JSON.stringify(action)} }))
  })`)

/** Wren's app, to which is pushed by a service that this test sees into. */
async function openSubscribed(web: Web, wren: Person) {
  const service = await startPushService(web.app.ctx.secrets.vapid.publicKey)
  const device = service.device()
  const context = await web.context({ as: wren, permissions: ['notifications'] })
  await context.addInitScript(playPushService(device.subscription))
  const page = await context.newPage()
  await page.goto(`${web.app.ctx.config.baseUrl}/notifications`)
  await untilReady(page)
  await context.serviceWorkers()[0]!.evaluate(countShown)
  return { service, device, context, page }
}

const env = { LOCAL_HTTPS: 'false', ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' }

describeWeb(
  'an installed app',
  (web) => {
    test('is pushed to from its own switch, groups what is shown, and leads to it without another document [AUTH-22]', async () => {
      const wren = await web.app.person()
      const robin = await web.app.person('robin')
      const { service, device, context, page } = await openSubscribed(web, wren)
      const button = page.getByRole('button', { name: 'Push to this device' })
      await button.click()
      await page.getByRole('status').getByText('Notifications are pushed to this device').waitFor()
      expect(await button.getAttribute('aria-pressed')).toBe('true')

      const said = await robin.say(`@${wren.username} look, a bird`)
      await until(
        () => device.messages.length === 1,
        () => 'the message reaches the device',
      )
      await deliver(page, device.messages[0])
      await untilShown(context, 1)
      const [shown, ...more] = await shownOn(context)
      expect(more).toEqual([])
      expect(shown).toMatchObject({
        body: expect.stringContaining('a bird'),
        actions: ['reply', 'favourite'],
      })
      expect(shown?.badge).toBe(`${web.app.ctx.config.baseUrl}/instance/badge.png`)
      expect(shown?.data).toEqual({ path: `/@${robin.username}/${said.id}`, id: said.id, count: 1 })
      // Nothing of it opens the account.
      expect(JSON.stringify(shown)).not.toContain(String(device.messages[0]?.['access_token']))

      await page.evaluate('document.body.dataset.same = "yes"')
      await choose(context, 'favourite')
      await page.getByRole('status').getByText('The post is a favourite now').waitFor()
      expect((await wren.get(`/api/v1/statuses/${said.id}`)).ok().favourited).toBe(true)
      await deliver(page, device.messages[0])
      await untilShown(context, 2)
      await choose(context, 'reply')
      await page.waitForURL(/\/publish\?in_reply_to_id=/)
      expect(await page.evaluate('document.body.dataset.same')).toBe('yes')

      // Two favourites of one post are one notification; more than five become one.
      const [liked] = [await wren.say('liked by many')]
      for (const fan of [robin, await web.app.person()])
        (await fan.post(`/api/v1/statuses/${liked.id}/favourite`)).ok()
      await until(
        () => device.messages.length === 3,
        () => 'the favourites reach the device',
      )
      for (const message of device.messages.slice(1)) await deliver(page, message)
      await untilShown(context, 4)
      expect(await shownOn(context)).toMatchObject([{ title: expect.stringContaining('(and one more)') }])
      for (let count = 0; count < 5; count++) await robin.say(`@${wren.username} number ${count}`)
      await until(
        () => device.messages.length === 8,
        () => 'the mentions reach the device',
      )
      await Promise.all(device.messages.slice(3).map((message) => deliver(page, message)))
      await untilShown(context, 9)
      expect(await shownOn(context)).toMatchObject([{ title: '7 new notifications' }])

      // The browser is given another address, and the server is told of it by the app.
      const renewed = service.device()
      await page.evaluate(`(() => {
        const given = ${JSON.stringify(renewed.subscription)}
        PushManager.prototype.getSubscription = async () => ({ ...given, toJSON: () => given })
      })()`)
      const isTold = untilToldOfPush(page)
      await context.serviceWorkers()[0]!.evaluate(`dispatchEvent(
        Object.assign(new ExtendableEvent('pushsubscriptionchange'), { oldSubscription: null, newSubscription: {} }))`)
      await isTold
      await robin.say(`@${wren.username} are you there?`)
      await until(
        () => renewed.messages.length === 1,
        () => 'the mention reaches the new address',
      )
      expect(device.messages).toHaveLength(8)

      // That one ends too, and the server hears of it first: who wants to be pushed to is so again when the app starts.
      service.answer = { status: 410 }
      await robin.say(`@${wren.username} still there?`)
      await until(
        async () => {
          const { rows } =
            await sql`select 1 from web_push_subscriptions where account_id = ${wren.accountId}`.execute(
              web.app.ctx.db,
            )
          return rows.length === 0
        },
        () => 'the server forgets the subscription',
      )
      service.answer = { status: 201 }
      web.expectComplaints()
      const latest = service.device()
      await context.addInitScript(playPushService(latest.subscription))
      const isToldAnew = untilToldOfPush(page)
      await page.reload()
      await isToldAnew
      await robin.say(`@${wren.username} and now?`)
      await until(
        () => latest.messages.length === 1,
        () => 'the mention reaches the newest address',
      )

      // What the settings switch on is the same one: a device has one subscription.
      await page.goto(`${web.app.ctx.config.baseUrl}/settings/notifications`)
      expect(await page.locator('details.device').count()).toBe(1)
      await page.getByRole('button', { name: 'Push notifications to this browser' }).click()
      await page.getByRole('status').getByText('Saved').waitFor()
      expect(await page.locator('details.device').count()).toBe(1)
    })

    test('is not pushed to where that was ended in the settings, though its browser renewed the subscription before', async () => {
      const wren = await web.app.person()
      const { service, context, page } = await openSubscribed(web, wren)
      const button = page.getByRole('button', { name: 'Push to this device' })
      await button.click()
      await button.and(page.locator('[aria-pressed=true]')).waitFor()
      const [own] = await listPushSubscriptions(web.app.ctx, wren.accountId)
      await endOwnPushSubscription(web.app.ctx, wren, own!.id)
      await context.addInitScript(playPushService(service.device().subscription))
      web.expectComplaints()
      const isTold = untilToldOfPush(page)
      await page.reload()
      expect((await isTold).status()).toBe(404)
      expect(await listPushSubscriptions(web.app.ctx, wren.accountId)).toEqual([])
      await page.reload()
      await button.and(page.locator('[aria-pressed=false]')).waitFor()
      expect(
        await page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('push '))"),
      ).toEqual([])
    })

    test('takes words and files that another app shares', async () => {
      const wren = await web.app.person()
      const page = await web.open('/home', { as: wren })
      await untilReady(page)
      // As the system's menu sends it.
      await page.evaluate(`(() => {
        const form = Object.assign(document.createElement('form'), { method: 'post', action: '/share', enctype: 'multipart/form-data' })
        const add = (name, value) => form.append(Object.assign(document.createElement('input'), { name, value }))
        add('title', 'A heron')
        add('url', 'https://birds.example/heron')
        const files = Object.assign(document.createElement('input'), { type: 'file', name: 'files', multiple: true })
        const carried = new DataTransfer()
        const bytes = Uint8Array.from(atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='), (c) => c.charCodeAt(0))
        carried.items.add(new File([bytes], 'heron.png', { type: 'image/png' }))
        files.files = carried.files
        form.append(files)
        document.body.append(form)
        form.submit()
      })()`)
      const form = page.getByRole('form', { name: 'New post' })
      await form.getByRole('textbox', { name: 'Description' }).first().waitFor()
      const text = form.getByRole('textbox', { name: 'What is on your mind?' })
      expect(await text.inputValue()).toBe('A heron\n\nhttps://birds.example/heron')
      expect(await page.evaluate('caches.has("shared")')).toBe(false)
    })

    test('opens in the look that was chosen without a network, and becomes newer without losing what is typed', async () => {
      const wren = await web.app.person()
      const context = await web.context({ as: wren })
      const page = await context.newPage()
      await page.goto(`${web.app.ctx.config.baseUrl}/settings/preferences/appearance`)
      await page.getByRole('radio', { name: 'Dark' }).check()
      await page.getByRole('combobox', { name: 'Language', exact: true }).selectOption('de')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.goto(`${web.app.ctx.config.baseUrl}/home`)
      await untilReady(page)
      await untilTrue(page, `caches.match('/app/shell').then((kept) => kept.url.includes('theme=dark'))`)

      const composer = page.getByRole('textbox', { name: 'Was beschäftigt dich?' })
      await composer.fill('half a thought')
      // What the browser says when another worker has taken over.
      await page.evaluate(`navigator.serviceWorker.dispatchEvent(new Event('controllerchange'))`)
      await page.getByText('Eine neuere Fassung').waitFor()
      await page.evaluate('document.body.dataset.same = "yes"')
      await page.getByRole('link', { name: 'Lesezeichen' }).first().click()
      await untilTrue(page, 'document.body.dataset.same === undefined && location.pathname === "/bookmarks"')
      await page.goBack()
      await untilTrue(
        page,
        `document.querySelector('form[data-composer] textarea')?.value === 'half a thought'`,
      )

      web.expectComplaints()
      await context.setOffline(true)
      await page.reload()
      await page.getByRole('link', { name: 'Lesezeichen' }).first().waitFor()
      const look = await page.evaluate(
        '({ ...document.documentElement.dataset, lang: document.documentElement.lang, color: document.querySelector("meta[name=theme-color]").content })',
      )
      expect(look).toMatchObject({ theme: 'dark', lang: 'de', color: expect.stringMatching(/^#/) })
    })
  },
  { env, kind: 'whole', hasServiceWorker: true },
)
