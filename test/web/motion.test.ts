// Whether what is animated moves by itself: where somebody wishes it, and nothing of theirs asks for less motion.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { tinyGif } from '#test/files/media-files.ts'
import type { Person } from '#test/people/people.ts'
import { describeWeb } from '#test/web/web.ts'

describeWeb('what is animated', (web) => {
  const moving = new Blob([new Uint8Array(tinyGif(4))])

  function formOf(fields: Readonly<Record<string, string | Blob>>): FormData {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields))
      if (typeof value === 'string') form.append(name, value)
      else form.append(name, value, 'moving.gif')
    return form
  }

  /** Somebody with something animated wherever there can be. */
  async function animated(): Promise<Person> {
    const staff = await web.app.person('staff', { role: 'Admin' })
    ;(await staff.post('/api/v1/admin/custom_emojis', formOf({ shortcode: 'wag', file: moving }))).ok()
    const wren = await web.app.person()
    const profile = {
      avatar: moving,
      header: moving,
      header_description: 'A banner',
      display_name: 'Wren :wag:',
      note: 'I :wag:',
      'fields_attributes[0][name]': 'my :wag:',
      'fields_attributes[0][value]': 'is :wag:',
    }
    ;(await wren.patch('/api/v1/accounts/update_credentials', formOf(profile))).ok()
    await wren.say('hello :wag:')
    await wren.say('Which? :wag:', { poll: { options: ['this :wag:', 'that'], expires_in: 600 } })
    return wren
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
    const wren = await animated()
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
    expect(await page.getByRole('img', { name: ':wag:' }).count()).toBeGreaterThan(8)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await expect.poll(() => page.locator('img[src$=".gif"]').count()).toBe(0)
  })
})
