// A server under a new name to which all people of an old one move, as one command after the other does it.
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { exportPeople } from '#domain/transfer/domain-change/export-people.ts'
import { importPeople } from '#domain/transfer/domain-change/import-people.ts'
import { movePeople } from '#domain/transfer/domain-change/move-people.ts'
import type { Json } from '#test/client/client.ts'
import { befriend, citizen, meet, relationOf } from '#test/people/citizens.ts'
import { personWithPassword, signedIn } from '#test/people/sign-in.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'

const network = useNetwork()

async function fileOf(server: NetworkServer): Promise<string> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'stonechat-people-')), 'people')
  await writeFile(file, exportPeople(server.ctx))
  return file
}

test('everybody moves to the server under the new name: who follows them elsewhere follows them there', async () => {
  const [old, fresh, other] = [
    await network.server('old'),
    await network.server('fresh'),
    await network.server('other'),
  ]
  const made = await personWithPassword(old, 'alice')
  const alice = { ...made, server: old, uri: old.uriOf(made), handle: old.handleOf(made) }
  const bruno = await citizen(old, 'bruno')
  const far = await citizen(other, 'far')
  await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice L.', note: 'about me' })
  await befriend(far, alice)
  await befriend(alice, bruno)
  await befriend(alice, far)

  const file = await fileOf(old)
  expect(await importPeople(fresh.ctx, file)).toEqual({ made: 2, there: 0, refused: [] })
  expect(await importPeople(fresh.ctx, file)).toEqual({ made: 0, there: 2, refused: [] })
  await network.settleAll()
  expect(await movePeople(old.ctx, 'operator', fresh.domain)).toEqual({ moved: 2, refused: [] })
  expect(await movePeople(old.ctx, 'operator', fresh.domain)).toEqual({ moved: 0, refused: [] })
  await network.settleAll()

  // On the third server: the follower has come along, and the old profile says where to.
  const there = { ...alice, server: fresh, uri: fresh.uriOf(made), handle: fresh.handleOf(made) }
  expect(await relationOf(far, there)).toMatchObject({ following: true, followed_by: true })
  expect(await relationOf(far, alice)).toMatchObject({ following: false })
  expect((await meet(far, alice)).moved).toMatchObject({ acct: there.handle })

  // On the new one: the same password, profile, and people to follow, those who came along under their new names.
  await signedIn(fresh, made)
  const clara = await citizen(fresh, 'clara')
  const lookup = await clara.get('/api/v1/accounts/lookup', { acct: alice.username })
  const { id, display_name: shown } = lookup.ok()
  expect(shown).toBe('Alice L.')
  const following: Json[] = (await clara.get(`/api/v1/accounts/${id}/following`)).ok()
  expect(following.map(({ acct }) => acct).toSorted()).toEqual([bruno.username, far.handle].toSorted())
})

test('a file of the same domain, or another one, is refused, and a name that somebody else has', async () => {
  const [old, fresh] = [await network.server('old'), await network.server('fresh')]
  await old.person('dora')
  const file = await fileOf(old)
  await expect(importPeople(old.ctx, file)).rejects.toThrow('own domain')
  const [head, ...people] = (await readFile(file, 'utf8')).split('\n')
  await writeFile(file, 'no such file\n')
  await expect(importPeople(fresh.ctx, file)).rejects.toThrow('domain-change export')
  const taken = await fresh.person('taken')
  const copied = { ...JSON.parse(people[0] as string), username: taken.username, email: 'x@example.com' }
  await writeFile(file, `${head}\n${JSON.stringify(copied)}\n`)
  const { made, refused } = await importPeople(fresh.ctx, file)
  expect([made, refused.map(({ username }) => username)]).toEqual([0, [taken.username]])
})
