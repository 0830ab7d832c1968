// Whether what is animated moves by itself: where somebody wishes it, and nothing of theirs asks for less motion. Else it
// plays while somebody points at it.
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { tinyGif } from '#test/files/media-files.ts'
import type { Person } from '#test/people/people.ts'
import { describeWeb, type OpenOptions } from '#test/web/web.ts'

describeWeb('what is animated', (web) => {
  const moving = new Blob([new Uint8Array(tinyGif(4))])

  function formOf(fields: Readonly<Record<string, string | Blob>>): FormData {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields))
      if (typeof value === 'string') form.append(name, value)
      else form.append(name, value, 'moving.gif')
    return form
  }

  let count = 0

  /** Somebody with something animated wherever there can be. */
  async function animated(): Promise<{ wren: Person; emoji: string }> {
    const shortcode = `wag${++count}`
    const emoji = `:${shortcode}:`
    const staff = await web.app.person('staff', { role: 'Admin' })
    ;(await staff.post('/api/v1/admin/custom_emojis', formOf({ shortcode, file: moving }))).ok()
    const wren = await web.app.person()
    const profile = {
      avatar: moving,
      header: moving,
      header_description: 'A banner',
      display_name: `Wren ${emoji}`,
      note: `I ${emoji}`,
      'fields_attributes[0][name]': `my ${emoji}`,
      'fields_attributes[0][value]': `is ${emoji}`,
    }
    ;(await wren.patch('/api/v1/accounts/update_credentials', formOf(profile))).ok()
    await wren.say(`hello ${emoji}`)
    await wren.say(`Which? ${emoji}`, { poll: { options: [`this ${emoji}`, 'that'], expires_in: 600 } })
    return { wren, emoji }
  }

  async function choose(page: Page, { wish, motion }: { wish: boolean; motion: string }): Promise<void> {
    await page.goto(`${web.app.ctx.config.baseUrl}/settings/preferences/appearance`)
    await page.getByLabel('Play animated pictures and emoji by themselves').setChecked(wish)
    await page.getByRole('group', { name: 'Motion' }).getByLabel(motion).check()
    await page.getByRole('main').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').waitFor()
  }

  /** The endings of the addresses of all pictures of a profile, its banner first. */
  async function kindsOn(page: Page, wren: Person): Promise<string[]> {
    await page.goto(`${web.app.ctx.config.baseUrl}/@${wren.username}`)
    await page.getByText('hello').waitFor()
    await page.getByRole('img', { name: 'A banner' }).waitFor()
    return page.evaluate(`[...new Set([...document.images].map(({ src }) => /\\w+$/.exec(src)[0]))]`)
  }

  test('moves by itself where somebody wishes it, and nothing asks for less motion', async () => {
    const { wren, emoji } = await animated()
    const page = await web.open('/about', { as: wren, reducedMotion: 'no-preference' })
    const shown: unknown[] = []
    for (const choice of [
      { wish: false, motion: 'As my device' },
      { wish: true, motion: 'As little as possible' },
      { wish: true, motion: 'As my device' },
    ]) {
      await choose(page, choice)
      shown.push(await kindsOn(page, wren))
    }
    expect(shown).toEqual([['png'], ['png'], ['gif']])
    // Names, a note, a field's two parts, posts and a poll.
    expect(await page.getByRole('img', { name: emoji }).count()).toBeGreaterThan(8)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await expect.poll(() => page.locator('img[src$=".gif"]').count()).toBe(0)
  })

  /** Somebody's post with animated emoji, and with a picture of theirs. */
  async function openPost(options: OpenOptions = {}) {
    const { wren, emoji } = await animated()
    const page = await web.open(`/@${wren.username}`, { as: wren, ...options })
    const post = page.getByRole('article').filter({ hasText: 'hello' })
    await post.waitFor()
    /** How many of the pictures of these parts of the post play, and how many there are. */
    const playing = async () => {
      const count = (kind: string) =>
        Promise.all(
          ['a[aria-hidden] img', 'header img', 'div[lang] img'].map((part) =>
            post.locator(part + kind).count(),
          ),
        )
      return { all: await count(''), play: await count('[src$=".gif"]') }
    }
    return { page, post, emoji, playing, link: post.getByRole('link', { name: 'Wren' }) }
  }
  const all = [1, 1, 1]

  async function focusByKeys(page: Page, wanted: Locator): Promise<void> {
    const focused = wanted.and(page.locator(':focus'))
    for (let n = 0; n < 12 && (await focused.count()) === 0; n++) await page.keyboard.press('Tab')
    await focused.waitFor()
  }

  test('what stands still plays while somebody points at the author, or at the text, of a post', async () => {
    const { page, post, playing, link } = await openPost()
    expect(await playing()).toEqual({ all, play: [0, 0, 0] })
    await post.locator('a[aria-hidden]').hover()
    expect(await playing()).toEqual({ all, play: [1, 1, 0] })
    await link.hover()
    expect(await playing()).toEqual({ all, play: [1, 1, 0] })
    await post.getByText('hello').hover()
    expect(await playing()).toEqual({ all, play: [0, 0, 1] })
    await post.getByRole('button', { name: 'Favourite' }).hover()
    expect(await playing()).toEqual({ all, play: [0, 0, 0] })
    await page.getByRole('region', { name: 'Wren' }).locator('img[width="88"]').hover()
    expect(await page.locator('img[width="88"][src$=".gif"]').count()).toBe(1)
  })

  test('what stands still plays while the link to its author has the focus by keys', async () => {
    const { page, post, playing, link } = await openPost()
    await post.focus()
    await page.keyboard.press('Tab')
    expect(await page.locator('a:focus').getAttribute('href')).toBe(await link.getAttribute('href'))
    expect(await playing()).toEqual({ all, play: [1, 1, 0] })
    await page.keyboard.press('Shift+Tab')
    expect(await playing()).toEqual({ all, play: [0, 0, 0] })
  })

  test('moves as soon as its window is seen again where that was chosen in another window', async () => {
    const { wren } = await animated()
    const context = await web.context({ as: wren, reducedMotion: 'no-preference' })
    const [page, other] = [await context.newPage(), await context.newPage()]
    expect(await kindsOn(page, wren)).toEqual(['png'])
    await choose(other, { wish: true, motion: 'As my device' })
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await expect.poll(() => page.locator('img[src$=".png"]').count()).toBe(0)
    expect(await page.locator('img[src$=".gif"]').count()).toBeGreaterThan(8)
  })

  test('the banner plays while somebody points at it, and by keys while the link below it has the focus', async () => {
    const { page } = await openPost()
    const banner = page.getByRole('img', { name: 'A banner' })
    const source = () => banner.getAttribute('src')
    expect(await source()).toMatch(/\.png$/)
    await banner.hover()
    expect(await source()).toMatch(/\.gif$/)
    await page.getByText('hello').hover()
    expect(await source()).toMatch(/\.png$/)
    await page.getByRole('main').getByRole('heading', { level: 1 }).focus()
    const link = page.getByRole('link', { name: 'Edit your profile' })
    await focusByKeys(page, link)
    expect(await source()).toMatch(/\.gif$/)
  })

  test('an emoji plays while somebody points at it, or has the focus there, where it is chosen', async () => {
    const { page, emoji } = await openPost()
    await page.keyboard.press('n')
    const text = page.getByRole('textbox', { name: 'What is on your mind?' })
    await text.fill('')
    await text.pressSequentially(emoji.slice(0, -1))
    const option = page.getByRole('option', { name: emoji })
    await option.waitFor()
    expect(await option.locator('img[src$=".png"]').count()).toBe(1)
    await option.hover()
    expect(await option.locator('img[src$=".gif"]').count()).toBe(1)
    await text.fill('')
    await page.getByRole('button', { name: 'Emoji' }).click()
    const picker = page.getByRole('dialog', { name: 'Emoji' })
    const choice = picker.getByRole('button', { name: emoji })
    await choice.hover()
    expect(await choice.locator('img[src$=".gif"]').count()).toBe(1)
    const search = picker.getByRole('searchbox')
    await search.hover()
    await search.fill(emoji.slice(1, -1))
    expect(await choice.locator('img[src$=".png"]').count()).toBe(1)
    await focusByKeys(page, choice)
    expect(await choice.locator('img[src$=".gif"]').count()).toBe(1)
  })

  test('what is touched stands still as before', async () => {
    const { post, playing } = await openPost({ hasTouch: true })
    await post.getByText('hello').tap()
    await post.locator('a[aria-hidden]').dispatchEvent('pointerover', { pointerType: 'touch', bubbles: true })
    expect(await playing()).toEqual({ all, play: [0, 0, 0] })
  })

  test('what is not animated is not asked for again, and what cannot be loaded stands still', async () => {
    const { page, post, playing } = await openPost()
    web.expectComplaints()
    const asked: string[] = []
    page.on('request', (request) => /\/avatars\/|\.gif$/.test(request.url()) && asked.push(request.url()))
    await page.route('**/*.gif', (route) => route.abort())
    await post.locator('a[aria-hidden]').hover()
    await expect.poll(() => asked.filter((url) => url.endsWith('.gif')).length).toBe(2)
    await expect.poll(playing).toEqual({ all, play: [0, 0, 0] })
    expect(await post.locator('a[aria-hidden] img[src*="missing"]').count()).toBe(0)
    await page.goto(`${web.app.ctx.config.baseUrl}/@${(await web.app.person()).username}`)
    const avatar = page.locator('img[width="88"]')
    await avatar.waitFor()
    // Seen before all that it shows has come.
    const loaded = () => page.evaluate<boolean>('[...document.images].every((image) => image.complete)')
    await expect.poll(loaded).toBe(true)
    const shown = await avatar.getAttribute('src')
    asked.length = 0
    await avatar.hover()
    expect(asked).toEqual([])
    expect(await avatar.getAttribute('src')).toBe(shown)
  })
})
