// The first account of a server, made in a browser by whoever has the link that its start prints.
import { sql } from 'kysely'
import type { Ctx, Secrets } from '#ports/ctx.ts'
import { recordAction } from '#domain/server/audit/record.ts'
import { createRule } from '#domain/server/instance/edit-rules.ts'
import { invalidateSettings, type RegistrationsMode } from '#domain/server/instance/settings.ts'
import { updateSettings } from '#domain/server/instance/update-settings.ts'
import { awaitsSetup } from '#domain/identity/sign-up-restrictions/registrations.ts'
import { forbidden } from '#lib/errors.ts'
import { hashPassword } from '#lib/passwords.ts'
import { readSignedId, signId } from '#lib/secrets.ts'
import { getRoleId } from './create-by-operator.ts'
import { afterConfirmation } from './confirm.ts'
import { insertUser } from './insert-user.ts'
import {
  assertNoProblems,
  emailProblems,
  orTaken,
  passwordProblems,
  usernameProblems,
} from './registration-rules.ts'
import type { AccountId, UserId } from '#lib/id.ts'

export interface SetUp {
  title: string
  description: string
  registrations: RegistrationsMode
  rules: readonly string[]
  username: string
  email: string
  password: string
  locale: string
}

const purpose = 'set up'
const subject = 'server'

/** What opens the page on which a server is set up: known to whoever reads what its start prints, until it is set up. */
export const setUpToken = (secrets: Secrets): string => signId(secrets.secretKeyBase, purpose, subject)

export const isSetUpToken = (secrets: Secrets, token: string): boolean =>
  readSignedId(secrets.secretKeyBase, purpose, token) === subject

/**
 * Makes the owner's account and writes what they decided. Throws `invalid` for what is unfit, and `forbidden` when there
 * is an account already: who comes second has to be let in by the first.
 */
export async function setUpServer(ctx: Ctx, input: SetUp): Promise<{ userId: UserId; accountId: AccountId }> {
  const { username, email, password } = input
  assertNoProblems([
    ...usernameProblems(username, { allowReserved: true }),
    ...emailProblems(email, true),
    ...passwordProblems(password),
  ])
  if (!(await awaitsSetup(ctx))) throw forbidden()
  await updateSettings(ctx, 'operator', {
    site_title: input.title,
    site_short_description: input.description,
    site_contact_email: email,
    site_contact_username: username,
    registrations_mode: input.registrations,
  })
  invalidateSettings(ctx)
  const owner = await createOwner(ctx, input)
  for (const text of input.rules) await createRule(ctx, owner, { text })
  return owner
}

async function createOwner(ctx: Ctx, { username, email, password, locale }: SetUp) {
  const roleId = await getRoleId(ctx, 'Owner')
  const passwordHash = await hashPassword(password)
  return orTaken(() =>
    ctx.transaction(async (tx) => {
      // Two who have the link do not both become owners.
      await sql`lock table users in share row exclusive mode`.execute(tx.db)
      const { rows } = await sql`select 1 from users limit 1`.execute(tx.db)
      if (rows.length > 0) throw forbidden()
      const user = { username, email, passwordHash, locale, roleId }
      const made = await insertUser(tx, { ...user, confirmed: true, approved: true })
      await afterConfirmation(tx, made.userId, true)
      await recordAction(tx, 'operator', {
        action: 'create',
        targetType: 'user',
        targetId: made.userId,
        label: username,
        details: { role: 'Owner' },
      })
      return made
    }),
  )
}
