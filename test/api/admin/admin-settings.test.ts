import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { defaultSettings } from '#domain/server/instance/settings.ts'
import { useApp } from '#test/app/app.ts'
import { findIntruders } from '#test/client/staff-only.ts'
import { storedKeys, uploadForm } from '#test/client/upload.ts'

const app = useApp()
const path = '/api/v1/admin/settings'
const uploads = '/api/v1/admin/site_uploads'

const staff = () => app.person('staff', { role: 'Admin' })
const page = async (target: string) => {
  const response = await app.fetch(target)
  return { headers: response.headers, text: await response.text() }
}

beforeEach(async () => {
  await sql`delete from settings`.execute(app.ctx.db)
  app.clock.advance(2_000)
})

describe('settings', () => {
  test('are shown, with what the environment says', async () => {
    const shown = (await (await staff()).get(path)).ok()
    expect(shown.settings).toEqual(defaultSettings)
    expect(shown.uploads).toEqual({ thumbnail: null, app_icon: null, favicon: null })
    expect(shown.environment).toMatchObject({
      local_domain: 'chat.example',
      limits: { status_characters: expect.any(Number) },
    })
    expect(JSON.stringify(shown)).not.toMatch(/secret|password/i)
  })

  test('change together, are seen at once, and leave a row each in the log', async () => {
    const admin = await staff()
    const changes = {
      site_title: 'Harbour',
      registrations_mode: 'approved',
      min_age: 16,
      trends: false,
      backups_retention_period: null,
    }
    expect((await admin.patch(path, changes)).ok().settings).toEqual({ ...defaultSettings, ...changes })
    const instance = (await app.anonymous.get('/api/v2/instance')).ok()
    expect(instance).toMatchObject({
      title: 'Harbour',
      registrations: { approval_required: true, min_age: 16 },
    })
    const { rows } = await sql<{ target_label: string; details: object }>`
      select target_label, details from audit_log
      where target_type = 'setting' and account_id = ${admin.accountId} order by target_label`.execute(
      app.ctx.db,
    )
    expect(rows.map((row) => row.target_label)).toEqual(Object.keys(changes).toSorted())
    expect(rows.find((row) => row.target_label === 'min_age')?.details).toEqual({ from: null, to: 16 })
  })

  test('change all or none, and every wrong one is named', async () => {
    const admin = await staff()
    const answer = await admin.patch(path, {
      site_title: 'Never',
      min_age: 'young',
      registrations_mode: 'sometimes',
      site_contact_email: 'nobody',
      local_topic_feed_access: 'disabled',
      status_page_url: 'javascript:alert(1)',
    })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.details).toSorted()).toEqual([
      'local_topic_feed_access',
      'min_age',
      'registrations_mode',
      'site_contact_email',
      'status_page_url',
    ])
    expect(answer.body.details.registrations_mode).toEqual([
      { error: 'ERR_INVALID', description: 'must be open, approved, none' },
    ])
    expect(answer.body.error).toContain('min_age must be a whole number')
    expect((await admin.get(path)).ok().settings).toEqual(defaultSettings)
    expect((await admin.patch(path, { site_title: { a: 1 } })).status).toBe(422)
    expect((await admin.patch(path, { custom_css: 'x'.repeat(70_000) })).status).toBe(422)
    expect((await admin.patch(path, { unheard_of: 1 })).status).toBe(422)
  })

  test('are switched by words that say so', async () => {
    const admin = await staff()
    for (const [word, value] of [
      ['no', false],
      ['On', true],
      ['0', false],
      ['yes', true],
    ] as const)
      expect((await admin.patch(path, { trends: word })).ok().settings.trends).toBe(value)
    for (const word of ['maybe', 'n', 'disabled', ''])
      expect((await admin.patch(path, { trends: word })).body.details).toHaveProperty('trends')
    expect((await admin.get(path)).ok().settings.trends).toBe(true)
  })

  test('keep something for a day at least, or for good', async () => {
    const admin = await staff()
    const answer = await admin.patch(path, {
      audit_log_retention_period: 0,
      content_cache_retention_period: 0,
    })
    expect(answer.status).toBe(422)
    expect(answer.body.error).toContain('audit_log_retention_period must be a whole number from 1 to 999999')
    const { settings } = (await admin.patch(path, { audit_log_retention_period: 1, min_age: 0 })).ok()
    expect(settings).toMatchObject({ audit_log_retention_period: 1, min_age: 0 })
    ;(await admin.patch(path, { audit_log_retention_period: null, min_age: null })).ok()
  })

  test('are for those who may manage them [ACC-9]', async () => {
    const calls = [
      ['get', path],
      ['patch', path],
      ['get', uploads],
      ['put', `${uploads}/thumbnail`],
      ['delete', `${uploads}/thumbnail`],
    ] as const
    expect(await findIntruders(app, calls, 'settings where')).toEqual([])
  })
})

describe('the look of pages', () => {
  test('takes a style sheet of the operator', async () => {
    expect((await page('/')).text).not.toContain('/custom.css')
    ;(await (await staff()).patch(path, { custom_css: 'body { color: teal }</style>' })).ok()
    const home = await page('/about')
    const href = /href="(\/custom\.css\?v=\w+)"/.exec(home.text)?.[1]
    expect(href).toBeDefined()
    expect(home.headers.get('content-security-policy')).toContain("style-src 'self'")
    const css = await page(href as string)
    expect(css.text).toBe('body { color: teal }</style>')
    expect(css.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(css.headers.get('x-content-type-options')).toBe('nosniff')
    expect(css.headers.get('cache-control')).toContain('immutable')
    expect((await page('/custom.css')).headers.get('cache-control')).toBe('public, max-age=60')
  })

  test.each([
    ['local_feed', 'Latest posts'],
    ['trends', 'Trending posts'],
    ['about', 'Latest posts'],
  ])('lands strangers on %s', async (landing_page, heading) => {
    ;(await (await staff()).patch(path, { landing_page })).ok()
    expect((await page('/?lang=en')).text).toContain(heading)
  })

  test('takes pictures of its own, and lets them go with their files', async () => {
    const admin = await staff()
    const before = await storedKeys(app.ctx)
    const background = { r: 200, g: 90, b: 20 }
    const picture = await sharp({ create: { width: 1500, height: 900, channels: 3, background } })
      .png()
      .toBuffer()
    const set = async (name: 'thumbnail' | 'app_icon' | 'favicon') =>
      (await admin.put(`${uploads}/${name}`, uploadForm(picture))).ok()[name]
    const thumbnail = await set('thumbnail')
    expect(thumbnail).toMatchObject({
      width: 2400,
      height: 1260,
      blurhash: expect.stringMatching(/^.{20,}$/),
    })
    const icon = await set('app_icon')
    await set('favicon')
    const instance = (await app.anonymous.get('/api/v2/instance')).ok()
    expect(instance.thumbnail).toMatchObject({
      url: thumbnail.versions['@1x'],
      blurhash: thumbnail.blurhash,
      versions: thumbnail.versions,
    })
    expect(instance.icon.map((one: { src: string }) => one.src)).toEqual(Object.values(icon.versions))
    expect((await app.anonymous.get('/api/v1/instance')).ok().thumbnail).toBe(thumbnail.versions['@1x'])
    const served = await app.fetch(new URL(thumbnail.url).pathname)
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png'])
    const home = (await page('/')).text
    const paths = [...home.matchAll(/(?:href|src)="(\/instance\/[\w-]+\.png\?v=\w+)"/g)].map(
      (match) => match[1],
    )
    expect(paths).toHaveLength(4)
    for (const one of paths) expect((await app.fetch(one as string)).status).toBe(200)
    const manifest = JSON.parse((await page('/manifest')).text)
    expect(manifest.icons[3]).toMatchObject({ src: icon.versions['512'], sizes: '512x512' })
    // Another one takes its place.
    const again = await set('thumbnail')
    expect(again.url).not.toBe(thumbnail.url)
    for (const name of ['thumbnail', 'app_icon', 'favicon']) (await admin.delete(`${uploads}/${name}`)).ok()
    expect((await admin.delete(`${uploads}/thumbnail`)).status).toBe(404)
    await app.settle()
    expect(await storedKeys(app.ctx)).toEqual(before)
    expect((await app.anonymous.get('/api/v2/instance')).ok().thumbnail.url).toContain(
      '/instance/thumbnail.png',
    )
    expect((await app.fetch('/instance/icon-48.png')).headers.get('content-type')).toBe('image/png')
  })

  test('refuses what is no picture', async () => {
    const admin = await staff()
    expect((await admin.put(`${uploads}/thumbnail`, uploadForm(Buffer.from('<svg/>')))).status).toBe(422)
    expect((await admin.put(`${uploads}/banner`, uploadForm(Buffer.from('x')))).status).toBe(404)
    expect((await admin.put(`${uploads}/thumbnail`, { file: 'x' })).status).toBe(400)
  })
})
