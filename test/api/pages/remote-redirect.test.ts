import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import type { StatusId } from '#lib/id.ts'

const app = useApp()
const locationOf = async (path: string) => {
  const answer = await app.fetch(path, { redirect: 'manual' })
  return [answer.status, answer.headers.get('location')]
}

test('the page of an account of another server, and of what everybody may see there, is there', async () => {
  const remote = await remoteAccount(app.ctx)
  const page = `/@${remote.acct}`
  expect(await locationOf(page)).toEqual([302, `https://${remote.domain}/@${remote.acct.split('@')[0]}`])
  const [open, closed] = [app.ctx.newId<StatusId>(), app.ctx.newId<StatusId>()]
  for (const [id, visibility] of [
    [open, 'public'],
    [closed, 'private'],
  ] as const) {
    const url = `https://${remote.domain}/notes/${id}`
    await app.ctx.db
      .insertInto('statuses')
      .values({ id, account_id: remote.accountId, visibility, local: false, uri: url, url })
      .execute()
  }
  expect(await locationOf(`${page}/${open}`)).toEqual([302, `https://${remote.domain}/notes/${open}`])
  expect(await locationOf(`${page}/${closed}`)).toEqual([404, null])
  expect(await locationOf('/@nobody@elsewhere.example')).toEqual([404, null])
})
