import { sql } from 'kysely'
import { createEventPace } from '#db/pace-events.ts'
import type { Ctx } from '#ports/ctx.ts'
import { functionalUser } from './mail-facts.ts'
import type { IdCursor, TermsOfServiceId, UserId } from '#lib/id.ts'

/** Users whose mails are asked for in one transaction. */
const batch = 200

/**
 * Asks for a mail about new terms for everybody who was here when they were published. It is written down with each
 * batch whom it asked for, so that a run again goes on where one ended, and nobody is mailed twice.
 */
export async function mailTerms(ctx: Ctx, termsId: TermsOfServiceId): Promise<void> {
  const pace = createEventPace(ctx)
  while (await mailSome(ctx, termsId)) await pace()
}

/** Whether there may be more. */
async function mailSome(ctx: Ctx, termsId: TermsOfServiceId): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const found = await sql<{ after: IdCursor; published_at: Date }>`
      select notified_up_to as after, published_at from terms_of_service
      where id = ${termsId} and published_at is not null and notified_at is null for update`.execute(tx.db)
    const terms = found.rows[0]
    if (!terms) return false
    const { rows } = await sql<{ id: UserId; email: string }>`
      select u.id, u.email from users u join accounts a on a.id = u.account_id
      where u.id > ${terms.after} and u.created_at <= ${terms.published_at} and ${functionalUser('u', 'a')}
      order by u.id limit ${batch}`.execute(tx.db)
    for (const { id, email } of rows) {
      await tx.emit({ type: 'mail.requested', mail: { kind: 'terms', userId: id, to: email, termsId } })
    }
    const isLast = rows.length < batch
    await sql`
      update terms_of_service set notified_up_to = ${rows.at(-1)?.id ?? terms.after},
        notified_at = ${isLast ? new Date(tx.clock.now()) : null}
      where id = ${termsId}`.execute(tx.db)
    return !isLast
  })
}
