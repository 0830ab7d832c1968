import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { FactorChange } from '#ports/events.ts'
import type { UserId } from '#lib/id.ts'

/** Mails the user what changed about their second factors. `name`: of the passkey. */
export async function notifyFactorChange(
  tx: Tx,
  userId: UserId,
  change: FactorChange,
  name: string | null = null,
): Promise<void> {
  const { rows } = await sql<{ email: string }>`select email from users where id = ${userId}`.execute(tx.db)
  if (!rows[0]) return
  await tx.emit({
    type: 'mail.requested',
    mail: { kind: 'second-factor', userId, to: rows[0].email, change, name },
  })
}

const day = 86_400

/** Mails the user, once a day, that somebody who knows their password guesses at codes. */
export async function notifyOfGuesses(ctx: Ctx, userId: UserId): Promise<void> {
  if (!(await ctx.kv.setIfAbsent(`second-factor-guesses:${userId}`, '1', day))) return
  await ctx.transaction((tx) => notifyFactorChange(tx, userId, 'codes-guessed'))
}
