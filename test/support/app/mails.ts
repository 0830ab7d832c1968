// Mails that wait for a while before they go out.
import { sql } from 'kysely'
import type { Mail } from '#ports/mailer.ts'
import type { TestApp } from './app.ts'
import type { Person } from '#test/people/people.ts'

/** Runs all that waits, mails about notifications too although their time has not come. */
export async function settleMails(app: TestApp): Promise<void> {
  await app.settle()
  await sql`
    select graphile_worker.reschedule_jobs(
      array(select id from graphile_worker.jobs where task_identifier = 'mail-notification'), run_at := now())`.execute(
    app.ctx.db,
  )
  await app.settle()
}

export const mailsTo = (app: TestApp, person: Pick<Person, 'email'>): Mail[] =>
  app.mails.filter((mail) => mail.to === person.email)

/** Writes settings as an app or a page would have. */
export async function setMails(
  app: TestApp,
  person: Person,
  kinds: Record<string, boolean>,
  more: Record<string, unknown> = {},
): Promise<void> {
  const settings = JSON.stringify({ notification_emails: kinds, ...more })
  await sql`update users set settings = settings || ${settings}::jsonb where id = ${person.userId}`.execute(
    app.ctx.db,
  )
}

export async function setLocale(app: TestApp, person: Person, locale: string): Promise<void> {
  await app.ctx.db.updateTable('users').set({ locale }).where('id', '=', person.userId).execute()
}
