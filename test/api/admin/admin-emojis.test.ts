import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { findIntruders } from '#test/client/staff-only.ts'
import { storedKeys, uploadForm } from '#test/client/upload.ts'

const app = useApp()
const path = '/api/v1/admin/custom_emojis'

const staff = () => app.person('staff', { role: 'Admin' })
const background = { r: 10, g: 200, b: 90 }
const png = () =>
  sharp({ create: { width: 32, height: 32, channels: 3, background } })
    .png()
    .toBuffer()
const upload = async (admin: Person, fields: Record<string, string>) =>
  admin.post(path, uploadForm(await png(), fields))

/** An emoji of another server, whose picture is here unless it is said that it is not. */
async function remoteEmoji(shortcode: string, hasImage = true): Promise<string> {
  const id = app.ctx.newId()
  const key = `emojis/${id}/picture.png`
  if (hasImage) await app.ctx.storage.put(key, { body: await png() }, { contentType: 'image/png' })
  await sql`
    insert into custom_emojis (id, shortcode, domain, image_key)
    values (${id}, ${shortcode}, 'away.example', ${hasImage ? key : null})`.execute(app.ctx.db)
  return id
}

const offered = async (): Promise<string[]> =>
  (await app.anonymous.get('/api/v1/custom_emojis')).ok().map((emoji: Json) => emoji.shortcode)

describe('custom emoji', () => {
  test('are made, changed, disabled and deleted with their files', async () => {
    const admin = await staff()
    const before = await storedKeys(app.ctx)
    const made = (await upload(admin, { shortcode: 'blob_cat', category: ' Blobs ' })).ok()
    expect(made).toMatchObject({
      shortcode: 'blob_cat',
      category: 'Blobs',
      visible_in_picker: true,
      domain: null,
      disabled: false,
    })
    expect((await app.fetch(new URL(made.url).pathname)).status).toBe(200)
    expect(await offered()).toContain('blob_cat')
    expect((await upload(admin, { shortcode: 'BLOB_cat' })).body.error).toBe(
      'Validation failed: Shortcode has already been taken',
    )
    const one = `${path}/${made.id}`
    expect((await admin.put(one, { category: '', visible_in_picker: false })).ok()).toMatchObject({
      category: null,
      visible_in_picker: false,
    })
    expect(await offered()).not.toContain('blob_cat')
    expect((await admin.put(one, { visible_in_picker: true, disabled: true })).ok().disabled).toBe(true)
    expect(await offered()).not.toContain('blob_cat')
    const replaced = (await admin.put(one, uploadForm(await png(), { disabled: 'false' }))).ok()
    expect(replaced.url).not.toBe(made.url)
    expect((await admin.delete(one)).ok()).toEqual({})
    expect((await admin.get(one)).status).toBe(404)
    await app.settle()
    expect(await storedKeys(app.ctx)).toEqual(before)
    const { rows } = await sql<{ action: string }>`
      select action from audit_log where target_type = 'custom_emoji' and target_id = ${made.id} order by id`.execute(
      app.ctx.db,
    )
    expect(rows.map((row) => row.action)).toEqual(['create', 'update', 'disable', 'enable', 'destroy'])
  })

  test('of other servers are copied, and disabled, but not changed', async () => {
    const admin = await staff()
    const id = await remoteEmoji('otter')
    expect((await admin.put(`${path}/${id}`, { category: 'x' })).status).toBe(422)
    expect((await admin.put(`${path}/${id}`, { disabled: true })).ok()).toMatchObject({
      disabled: true,
      domain: 'away.example',
    })
    const copy = (await admin.post(`${path}/${id}/copy`, { category: 'Animals' })).ok()
    expect(copy).toMatchObject({ shortcode: 'otter', domain: null, category: 'Animals', disabled: false })
    expect(copy.id).not.toBe(id)
    expect((await admin.post(`${path}/${id}/copy`)).status).toBe(422)
    expect((await admin.post(`${path}/${id}/copy`, { shortcode: 'otter2' })).ok().shortcode).toBe('otter2')
    expect((await admin.post(`${path}/${copy.id}/copy`, { shortcode: 'own' })).status).toBe(422)
    const bare = await remoteEmoji('bare', false)
    expect((await admin.post(`${path}/${bare}/copy`)).status).toBe(422)
    expect((await admin.get(`${path}/${bare}`)).ok()).toMatchObject({ url: '', static_url: '' })
  })

  test('are listed by where they come from, and by name', async () => {
    const admin = await staff()
    await sql`delete from custom_emojis`.execute(app.ctx.db)
    ;(await upload(admin, { shortcode: 'anchor' })).ok()
    await remoteEmoji('anchovy')
    const last = await remoteEmoji('whale')
    const names = async (query: Record<string, unknown>) =>
      (await admin.get(path, query)).ok().map((emoji: Json) => emoji.shortcode)
    expect(await names({})).toEqual(['whale', 'anchovy', 'anchor'])
    expect(await names({ origin: 'local' })).toEqual(['anchor'])
    expect(await names({ origin: 'remote' })).toEqual(['whale', 'anchovy'])
    expect(await names({ by_domain: 'Away.example', shortcode: 'HAL' })).toEqual(['whale'])
    expect(await names({ shortcode: 'anch%' })).toEqual([])
    expect(await names({ max_id: last, limit: 1 })).toEqual(['anchovy'])
    ;(await admin.put(`${path}/${last}`, { disabled: true })).ok()
    expect(await names({ disabled: true })).toEqual(['whale'])
    const count = async (limit: number) => (await app.countQueries(() => admin.get(path, { limit }))).length
    expect(await count(3)).toBe(await count(1))
  })

  test('want a name and a picture', async () => {
    const admin = await staff()
    expect((await upload(admin, { shortcode: 'no spaces' })).status).toBe(422)
    expect((await upload(admin, {})).status).toBe(422)
    expect((await admin.post(path, { shortcode: 'nothing' })).status).toBe(400)
    const text = uploadForm(Buffer.from('GIF89a, or so it says'), { shortcode: 'fake' })
    expect((await admin.post(path, text)).status).toBe(422)
  })

  test('are for those who may manage them [ACC-9]', async () => {
    const calls = [
      ['get', path],
      ['get', `${path}/1`],
      ['post', path],
      ['post', `${path}/1/copy`],
      ['put', `${path}/1`],
      ['delete', `${path}/1`],
    ] as const
    expect(await findIntruders(app, calls, 'custom_emojis')).toEqual([])
  })
})
