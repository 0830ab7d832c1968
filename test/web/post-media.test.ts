// Films and sounds of posts, and many pictures of one: what is said of them, who hears them, and what keys do.
import { readFileSync } from 'node:fs'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '#test/client/client.ts'
import { uploadForm } from '#test/client/upload.ts'
import { blackPng, ffmpegMissing, picture, tinyGif, tone, useFolder } from '#test/files/media-files.ts'
import { until } from '#test/run/patience.ts'
import type { Person } from '#test/people/people.ts'
import { changeStart } from '#test/web/tricks.ts'
import { describeWeb } from '#test/web/web.ts'

const card = {
  url: 'https://birds.example/moor',
  title: 'Birds of the moor',
  description: '',
  language: null,
  type: 'link',
  authors: [],
  author_name: '',
  author_url: '',
  provider_name: 'birds.example',
  provider_url: '',
  html: '',
  width: 400,
  height: 300,
  image_description: 'a moor',
  embed_url: '',
  blurhash: null,
  published_at: null,
  missing_attribution: false,
}

describeWeb('the media of a post', (web) => {
  const folder = useFolder()

  async function upload(person: Person, file: string | Buffer, description?: string): Promise<string> {
    const bytes = typeof file === 'string' ? readFileSync(file) : file
    const form = uploadForm(bytes, description === undefined ? {} : { description })
    const { id } = (await person.post('/api/v2/media', form)).ok()
    // 206 while it is being converted.
    await until(
      async () => (await person.get(`/api/v1/media/${id}`)).status === 200,
      () => 'a converted file',
    )
    return id
  }

  const postOf = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })

  const stateOf = (media: Locator): Promise<boolean> => media.evaluate((one: Json) => one.paused)
  const play = (media: Locator) => media.evaluate((one: Json) => one.play())

  describe.skipIf(ffmpegMissing)('videos and sounds', () => {
    let wren: Person
    beforeAll(async () => {
      wren = await web.app.person()
      const video = folder.encode('video.mp4', ...picture(), ...tone(), '-pix_fmt', 'yuv420p')
      const cover = folder.encode('cover.png', ...picture('size=64x64:rate=1'), '-frames:v', '1')
      const asCover = ['-map', '0:a', '-map', '1:v', '-c:v', 'copy', '-disposition:v', 'attached_pic']
      const song = folder.encode('song.mp3', ...tone(75), '-i', cover, ...asCover)
      await wren.say('A video', { media_ids: [await upload(wren, video, 'Bars')] })
      await wren.say('A song', { media_ids: [await upload(wren, song)] })
      await wren.say('Hidden', { media_ids: [await upload(wren, video, 'Noise')], sensitive: true })
      const moving = [
        await upload(wren, blackPng(40, 30), 'a picture'),
        await upload(wren, tinyGif(4), 'a video'),
      ]
      await wren.say('Moving', { media_ids: moving })
    })

    test('have their names, pictures and lengths before anything of them is fetched', async () => {
      const context = await web.context({ as: wren })
      const asked: string[] = []
      context.on('request', (request) => asked.push(request.url()))
      const page = await context.newPage()
      await page.goto(`${web.app.ctx.config.baseUrl}/home`)
      const video = postOf(page, 'A video').getByLabel('Bars')
      expect(await video.getAttribute('poster')).toMatch(/\.jpg$/)
      await postOf(page, 'A video').getByText('Video · 0:01').waitFor()
      await postOf(page, 'A song').getByText('Audio · 1:15').waitFor()
      await postOf(page, 'A song').getByLabel('Audio', { exact: true }).scrollIntoViewIfNeeded()
      expect(await postOf(page, 'A song').locator('figure img').getAttribute('src')).toMatch(/\.png$/)
      expect(asked.filter((url) => /\.mp[34]$/.test(url))).toEqual([])
      expect(await web.axe(page)).toEqual([])
    })

    test('have the keys of their controls, and one of them is heard at a time', async () => {
      const page = await web.open('/home', { as: wren })
      const [video, song] = [
        postOf(page, 'A video').locator('video'),
        postOf(page, 'A song').locator('audio'),
      ]
      await song.evaluate((one: Json) => (one.loop = true))
      await video.evaluate((one: Json) => (one.loop = true))
      await video.focus()
      await page.keyboard.press('Space')
      await expect.poll(() => stateOf(video)).toBe(false)
      await page.keyboard.press('Enter')
      await page.keyboard.press('ArrowDown')
      await video.and(page.locator(':focus')).waitFor()
      expect(new URL(page.url()).pathname).toBe('/home')
      await play(song)
      await expect.poll(() => stateOf(video)).toBe(true)
      expect(await stateOf(song)).toBe(false)
    })

    test('are covered where they are sensitive, and end when they are covered again', async () => {
      const page = await web.open('/home', { as: wren })
      const post = postOf(page, 'Hidden')
      await post.getByRole('button', { name: 'Show sensitive media' }).waitFor()
      expect(await post.locator('video').count()).toBe(0)
      await post.focus()
      await page.keyboard.press('h')
      const video = post.getByLabel('Noise', { exact: true })
      await play(video)
      const handle = await video.elementHandle()
      await post.getByRole('button', { name: 'Hide' }).click()
      await video.waitFor({ state: 'detached' })
      await expect.poll(() => handle?.evaluate((one: Json) => one.paused)).toBe(true)
    })

    test('that are missing are words, and are there when they are tried again', async () => {
      web.expectComplaints()
      const context = await web.context({ as: wren })
      let isThere = false
      await context.route('**/*.mp4', (route) =>
        isThere ? route.continue() : route.fulfill({ status: 404 }),
      )
      const page = await context.newPage()
      await page.goto(`${web.app.ctx.config.baseUrl}/home`)
      const post = postOf(page, 'A video')
      const video = post.getByLabel('Bars')
      await video.evaluate((one: Json) => one.play().catch(() => null))
      await post.getByText('This file cannot be loaded.').waitFor()
      expect(await web.axe(page)).toEqual([])
      isThere = true
      await post.getByRole('button', { name: 'Try again' }).click()
      await video.waitFor()
      expect(await post.getByText('This file cannot be loaded.').count()).toBe(0)
    })

    test('keep the arrows while the controls of one have the focus in the viewer', async () => {
      const page = await web.open('/home', { as: wren })
      await page.getByRole('button', { name: 'Open: a video' }).click()
      const viewer = page.getByRole('dialog', { name: 'Picture 2 of 2' })
      await viewer.getByLabel('a video').focus()
      await page.keyboard.press('ArrowRight')
      expect(await viewer.count()).toBe(1)
      await viewer.getByRole('button', { name: 'Next' }).focus()
      await page.keyboard.press('ArrowRight')
      await page.getByRole('dialog', { name: 'Picture 1 of 2' }).waitFor()
      expect(await viewer.count()).toBe(0)
    })

    test('are told from pictures among the media of a profile', async () => {
      const page = await web.open(`/@${wren.username}/media`, { as: wren })
      const media = page.getByRole('list', { name: `Media by ${wren.username}` })
      await media.getByRole('link', { name: 'Audio', exact: true }).waitFor()
      const kinds = await media
        .locator('[data-text]')
        .evaluateAll((all: Json[]) => all.map((one) => one.dataset.text))
      expect(kinds.toSorted()).toEqual(['Animation', 'Audio', 'Video', 'Video'])
      expect(await web.axe(page)).toEqual([])
    })
  })

  /** Changes the first post of the home timeline as it comes with the document. */
  const changeFirst = (context: BrowserContext, change: (post: Json) => void) =>
    changeStart(context, '**/home', (answers) => {
      const answer: Json = answers['/api/v1/timelines/home?limit=20']
      change(answer.body[0])
      // Of a document that did not come from the server the browser allows no stream.
      web.expectComplaints()
    })

  test('the picture of a link is left out where it is missing', async () => {
    const wren = await web.app.person()
    await wren.say('A link')
    const context = await web.context({ as: wren })
    await changeFirst(context, (post) => {
      post.card = { ...card, image: `${web.app.ctx.config.baseUrl}/media/nowhere.png` }
    })
    const page = await context.newPage()
    await page.goto(`${web.app.ctx.config.baseUrl}/home`)
    const post = postOf(page, 'A link')
    await post.getByRole('link', { name: 'Birds of the moor' }).waitFor()
    await expect.poll(() => post.getByRole('img', { name: 'a moor' }).count()).toBe(0)
  })

  test('whose avatar and banner are missing has those of an account without any', async () => {
    const wren = await web.app.person()
    await wren.say('A face')
    const context = await web.context({ as: wren })
    await changeStart(context, `**/@${wren.username}`, (answers) => {
      const found: Json = answers[`/api/v1/accounts/lookup?acct=${wren.username}`]
      Object.assign(found.body, { avatar_static: '/lost.png', header_static: '/lost.png' })
    })
    web.expectComplaints()
    const page = await context.newPage()
    await page.goto(`${web.app.ctx.config.baseUrl}/@${wren.username}`)
    const pictures = page.getByRole('region', { name: wren.username }).locator('img')
    const sources = () => pictures.evaluateAll((all: Json[]) => all.map((one) => new URL(one.src).pathname))
    await expect.poll(sources).toEqual(['/headers/original/missing.png', '/avatars/original/missing.png'])
  })

  test('many pictures of another server are no longer to scroll past than the window is high', async () => {
    const wren = await web.app.person()
    await wren.say('Sixteen', { media_ids: [await upload(wren, blackPng(40, 30), 'a picture')] })
    for (const viewport of [
      { width: 1280, height: 1200 },
      { width: 390, height: 844 },
    ]) {
      const context = await web.context({ as: wren, viewport })
      await changeFirst(context, (post) => {
        const [first] = post.media_attachments
        const one = (n: number) => ({ ...first, id: String(n), description: String(n) })
        post.media_attachments = Array.from({ length: 16 }, (_, n) => one(n))
      })
      const page = await context.newPage()
      await page.goto(`${web.app.ctx.config.baseUrl}/home`)
      const post = postOf(page, 'Sixteen')
      await post.getByRole('button', { name: 'Open: 15' }).waitFor()
      expect((await post.boundingBox())?.height).toBeLessThan(viewport.height)
      await post.getByRole('button', { name: 'Open: 15' }).click()
      await page.getByRole('dialog', { name: 'Picture 16 of 16' }).waitFor()
    }
  })
})
