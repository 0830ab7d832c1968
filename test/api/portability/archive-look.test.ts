import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { archivedBoost, archivedPost, makeTarGz, makeZip, outboxOf } from '#test/files/archives.ts'
import { personWithPassword, signedIn } from '#test/people/sign-in.ts'

const app = useApp()

const items = [
  archivedPost('2', '2022-10-08T10:00:00Z', '<p>second</p>'),
  archivedPost('1', '2022-10-01T10:00:00Z', '<p>first</p>'),
  archivedBoost('3', '2023-10-09T10:00:00Z', 'https://far.example/notes/1'),
  { type: 'Delete' },
  'text',
]

test.each([
  ['.zip', makeZip],
  ['.tar.gz', makeTarGz],
])('what is in an archive is told before it is imported, of a %s', async (name, make) => {
  const ann = await personWithPassword(app, 'ann')
  const browser = await signedIn(app, ann)
  const page = await browser.get('/settings/imports')
  const data = new File([new Uint8Array(await make({ 'outbox.json': outboxOf(items) }))], `archive${name}`)
  const sent = await browser.upload(
    page.form('/settings/imports/archive'),
    {},
    { name: 'data', content: data },
  )
  const { text } = await browser.get(sent.location as string)
  const told = /<ul>(\s*<li>\d+ posts.*?)<\/ul>/s.exec(text)?.[1]?.replaceAll(/<[^>]*>/g, ' ')
  expect(told?.trim().split(/\s+/).join(' ')).toBe(
    '2 posts Oldest: Oct 1, 2022 · Newest: Oct 8, 2022 1 boost 2 entries that are no posts, or cannot be read',
  )
  expect((await ann.get(`/api/v1/accounts/${ann.accountId}/statuses`)).ok()).toEqual([])
})
