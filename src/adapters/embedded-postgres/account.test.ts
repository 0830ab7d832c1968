import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canPassTo, findAccount, mayUse } from './account.ts'

describe('findAccount', () => {
  const passwd =
    'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false\npostgres:x:101:104::/:/bin/sh\n'

  test('prefers an account made for databases, then nobody', () => {
    expect(findAccount(passwd)).toEqual({ uid: 101, gid: 104 })
    expect(findAccount(passwd.replace('postgres', 'pg'))).toEqual({ uid: 65534, gid: 65534 })
  })

  test('never names root', () => {
    expect(findAccount('postgres:x:0:0::/:/bin/sh\nroot:x:0:0::/:/bin/sh\n')).toBeNull()
    expect(findAccount('nobody:*:-2:-2::/:/bin/false\n')).toBeNull()
  })
})

describe('reach', () => {
  let folder: string
  const stranger = { uid: 54_321, gid: 54_321 }
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'account-'))
    await mkdir(path.join(folder, 'inner', 'most'), { recursive: true })
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('one closed folder on the way closes all below it', async () => {
    const target = path.join(folder, 'inner', 'most')
    await chmod(folder, 0o755)
    await chmod(path.join(folder, 'inner'), 0o711)
    expect(await canPassTo(target, stranger)).toBe(true)
    await chmod(folder, 0o700)
    expect(await canPassTo(target, stranger)).toBe(false)
    expect(await mayUse(target, stranger, 0o1)).toBe(true)
  })

  test('the owner’s bits count for the owner only, the group’s for the group', async () => {
    const { uid, gid } = await stat(folder)
    await chmod(folder, 0o710)
    expect(await mayUse(folder, { uid, gid: 1 }, 0o7)).toBe(true)
    expect(await mayUse(folder, { uid: 54_321, gid }, 0o1)).toBe(true)
    expect(await mayUse(folder, { uid: 54_321, gid }, 0o4)).toBe(false)
    expect(await mayUse(folder, stranger, 0o1)).toBe(false)
    expect(await mayUse(path.join(folder, 'missing'), stranger, 0)).toBe(false)
  })
})
