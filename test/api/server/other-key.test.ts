// A server that gets another SECRET_KEY_BASE: what hangs on it is made anew where that is possible, and operators are told.
import { expect, test } from 'vitest'
import { checkSecrets } from '#app/doctor/machine.ts'
import { getSessionToken } from '#domain/identity/oauth/session-token.ts'
import { startSession } from '#domain/identity/oauth/sessions.ts'
import { claimKey, hasOtherKey } from '#domain/server/instance/own-key.ts'
import type { Ctx } from '#ports/ctx.ts'
import { useApp } from '#test/app/app.ts'

const app = useApp()
const under = (secretKeyBase: string): Ctx => ({
  ...app.ctx,
  secrets: { ...app.ctx.secrets, secretKeyBase },
})
const [former, other] = ['f'.repeat(32), 'o'.repeat(32)]

test('whoever is signed in stays so in the web app when the server gets another key', async () => {
  const { userId, username } = await app.person('alice')
  const about = { userId, address: '192.0.2.1', userAgent: null, passwordHash: null }
  const { id, secret } = await app.ctx.transaction((tx) => startSession(tx, about))
  const tokenUnder = async (key: string) =>
    (await getSessionToken(under(key), { id, userId, secret })) as string
  const answerTo = (token: string) =>
    app.fetch('/api/v1/accounts/verify_credentials', { headers: { authorization: `Bearer ${token}` } })
  const first = await tokenUnder(former)
  expect(await (await answerTo(first)).json()).toMatchObject({ username })
  const second = await tokenUnder(other)
  expect(await (await answerTo(second)).json()).toMatchObject({ username })
  expect((await answerTo(first)).status).toBe(401)
  expect(await tokenUnder(other)).toBe(second)
})

test('another key than that of the last start is noticed once by the server, and by doctor', async () => {
  expect(await claimKey(under(former))).toBe(false)
  expect(await claimKey(under(former))).toBe(false)
  expect(await hasOtherKey(under(other))).toBe(true)
  expect(await checkSecrets(under(other))).toMatchObject({
    state: 'problem',
    advice: "give this command the server's environment, or all processes the same key",
  })
  expect(await claimKey(under(other))).toBe(true)
  expect(await claimKey(under(other))).toBe(false)
  expect(await hasOtherKey(under(former))).toBe(true)
})
