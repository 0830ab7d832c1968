// What leaves one server comes to another as it was.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { beginLocalArchive } from '#domain/transfer/portability/archive/archive-import.ts'
import { runLocalArchive } from '#domain/transfer/portability/archive/archive-run.ts'
import { startApp, type TestApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { isNight } from '#test/run/night.ts'
import type { Person } from '#test/people/people.ts'
import { personWithPassword, signedIn } from '#test/people/sign-in.ts'
import { storedKeys, uploadForm } from '#test/client/upload.ts'

let from: TestApp
let to: TestApp

// New ones for each try: on a server that is not fresh the ids are others.
beforeEach(async () => {
  ;[from, to] = await Promise.all([
    startApp({ env: { LOCAL_DOMAIN: 'old.example' } }),
    startApp({ env: { LOCAL_DOMAIN: 'new.example' } }),
  ])
})
afterEach(() => Promise.all([from.close(), to.close()]))

/** Each kind of post is among the first hundred. */
const count = isNight ? 200 : 50
const visibilities = ['public', 'unlisted', 'private']

/** Posts of every kind, some minutes apart, some in the same second. */
async function write(alice: Person, bob: Person): Promise<void> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    if (n % 3 === 0) from.clock.advance(97_000)
    const color = { r: n, g: 255 - n, b: 128 }
    const png =
      n % 10 === 4 &&
      (await sharp({ create: { width: 20 + n, height: 30, channels: 3, background: color } })
        .png()
        .toBuffer())
    const media = png
      ? (
          await alice.post(
            '/api/v2/media',
            uploadForm(png, { description: `picture ${n}`, focus: '0.1,0.2' }),
          )
        ).ok()
      : null
    const text = `Post ${n}: a < b & c, #Tag${n % 7} @${bob.username}\n\nsecond part   with spaces https://birds.org/a_${n}?x=1&y=2`
    const status = await alice.say(text, {
      visibility: visibilities[n % 3],
      language: n % 2 ? 'en' : 'de',
      ...(n % 5 === 1 && { spoiler_text: `careful ${n}` }),
      ...(n % 4 === 3 && { in_reply_to_id: ids[n - 2] }),
      ...(media && { media_ids: [media.id] }),
      ...(n % 20 === 10 && { poll: { options: ['yes', 'no'], expires_in: 300, multiple: n % 40 === 10 } }),
      ...(n % 50 === 25 && { quoted_status_id: ids[0] }),
    })
    if (status.poll) (await bob.post(`/api/v1/polls/${status.poll.id}/votes`, { choices: [0] })).ok()
    ids.push(status.id)
  }
  ;(await alice.post(`/api/v1/statuses/${ids[3]}/reblog`)).ok()
  from.clock.advance(86_400_000)
  await from.settle()
}

async function all(person: Person): Promise<Json[]> {
  const found: Json[] = []
  for (let last = ''; ;) {
    const path = `/api/v1/accounts/${person.accountId}/statuses?limit=40${last && `&max_id=${last}`}`
    const page: Json[] = (await person.get(path)).ok()
    if (page.length === 0) return found
    found.push(...page)
    last = page.at(-1)!.id
  }
}

/** What must be the same: all that does not name the server. */
function essence(status: Json, place: ReadonlyMap<string, number>) {
  const { created_at, visibility, language, spoiler_text, sensitive, replies_count, reblogs_count } = status
  return {
    created_at,
    visibility,
    language,
    spoiler_text,
    sensitive,
    replies_count,
    reblogs_count,
    quotes_count: status.quotes_count,
    tags: status.tags.map((tag: Json) => tag.name).toSorted(),
    parent: place.get(status.in_reply_to_id),
    quoted: place.get(status.quote?.quoted_status?.id),
    boosted: place.get(status.reblog?.id),
    poll: status.poll && {
      options: status.poll.options,
      multiple: status.poll.multiple,
      votes: status.poll.votes_count,
      expires_at: status.poll.expires_at,
      expired: status.poll.expired,
    },
    media: status.media_attachments.map(({ type, description, meta, blurhash }: Json) => ({
      type,
      description,
      meta,
      blurhash,
    })),
  }
}

const essences = (statuses: readonly Json[]) => {
  const place = new Map(statuses.map((status, index) => [status.id as string, index]))
  return statuses.map((status) => essence(status, place))
}

async function pixelsOf(app: TestApp, status: Json): Promise<Buffer | null> {
  const url = status.media_attachments[0]?.url
  if (!url) return null
  return sharp(Buffer.from(await (await app.fetch(new URL(url).pathname)).arrayBuffer()))
    .removeAlpha()
    .raw()
    .toBuffer()
}

test('an archive of one server, imported by another: same posts, order, threads and media', async () => {
  const alice = await personWithPassword(from, 'alice')
  const bob = await from.person('bob')
  await write(alice, bob)
  const browser = await signedIn(from, alice)
  await browser.submit((await browser.get('/settings/export')).form('/settings/export'))
  await from.settle()
  const key = (await storedKeys(from.ctx)).find((one) => one.startsWith('backups/')) as string
  const file = path.join(from.ctx.config.dataDir, 'media', key)
  expect((await readFile(file)).subarray(0, 2).toString()).toBe('PK')

  to.clock.advance(from.clock.now() - to.clock.now())
  const moved = await to.person('alice')
  const progress: number[] = []
  const id = await beginLocalArchive(to.ctx, moved.accountId, 'archive.zip')
  await runLocalArchive(to.ctx, id, file, ({ processed, total }) => progress.push(processed / total))
  await to.settle()

  const { rows } = await sql`
    select state, total_items, imported_items, skipped, error from bulk_imports`.execute(to.ctx.db)
  expect(rows).toEqual([
    { state: 'finished', total_items: count + 1, imported_items: count + 1, skipped: {}, error: null },
  ])
  expect(progress).toHaveLength(count + 1)
  expect(progress.at(-1)).toBe(1)
  const [before, after] = [await all(alice), await all(moved)]
  expect(after).toHaveLength(count + 1)
  expect(essences(after)).toEqual(essences(before))
  // On a fresh server even the ids can be the same.
  expect(after.map((status) => status.id)).toEqual(before.map((status) => status.id))
  const source = async (person: Person, statusId: string) =>
    (await person.get(`/api/v1/statuses/${statusId}/source`)).ok().text as string
  for (const { id: statusId, reblog } of before.filter((_, n) => n % 9 === 0)) {
    if (reblog) continue
    const text = await source(alice, statusId)
    expect(await source(moved, statusId)).toBe(
      text.replace(`@${bob.username}`, `@${bob.username}@old.example`),
    )
  }
  for (const [index, status] of before.entries()) {
    const [was, is] = [await pixelsOf(from, status), await pixelsOf(to, after[index]!)]
    expect(is?.equals(was!) ?? null).toBe(was === null ? null : true)
  }
  const counts = (await moved.get(`/api/v1/accounts/${moved.accountId}`)).ok()
  expect(counts.statuses_count).toBe(count + 1)
})
