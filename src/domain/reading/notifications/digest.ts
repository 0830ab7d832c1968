// What somebody missed who has been away for days, in one mail.
import { sql } from 'kysely'
import { createEventPace } from '#db/pace-events.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { functionalUser, type MailFacts } from '#domain/identity/accounts/mail-facts.ts'
import { wantsMail, wantsMailSql } from '#domain/identity/accounts/mail-settings.ts'
import { idToTime } from '#lib/ids.ts'
import { findFirstIdSince } from './find-since.ts'
import {
  mailedColumns,
  toMailedNotification,
  type MailedNotification,
  type MailedNotificationRow,
  type Person,
} from './notification-mail.ts'
import { newerThanMarker, notificationSource } from './queries.ts'
import type { IdCursor, UserId } from '#lib/id.ts'

const day = 86_400_000
/** People hear of what they missed once they have been away for this long, and as often. Milliseconds. */
const digestAfter = 7 * day
/** Whoever stays away for longer does not come back for a mail. Milliseconds. */
const givenUpAfter = 180 * day
const digestKinds = ['mention', 'follow']
const digestBatch = 100
/** Of each kind that a digest shows, and that it counts. */
const maxShown = 5
const maxCounted = 100

/**
 * Asks for a digest for everybody who is due and has missed something. In batches, each of which remembers whom it
 * asked for, so that a later run goes on where one ended.
 */
export async function askForDigests(ctx: Ctx): Promise<void> {
  const pace = createEventPace(ctx)
  for (let after: IdCursor | null = '0'; after !== null;) {
    after = await askForBatch(ctx, after)
    await pace()
  }
}

interface DueRow {
  id: UserId
  email: string
  since: IdCursor
  missed: boolean
}

/** Returns the last user who was looked at, or null when there are no more. */
async function askForBatch(ctx: Ctx, after: IdCursor): Promise<UserId | null> {
  const now = ctx.clock.now()
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<DueRow>`
      with due as (
        select u.id, u.account_id, u.email,
          floor(extract(epoch from greatest(u.last_active_at, u.digest_sent_at)) * 1000)::bigint << 16 as since
        from users u join accounts a on a.id = u.account_id
        where u.id > ${after} and u.last_active_at <= ${new Date(now - digestAfter)}
          and u.last_active_at > ${new Date(now - givenUpAfter)}
          and (u.digest_sent_at is null or u.digest_sent_at <= ${new Date(now - digestAfter)})
          and ${wantsMailSql('digest', 'u')} and ${functionalUser('u', 'a')}
        order by u.id limit ${digestBatch} for update of u skip locked)
      select d.id, d.email, d.since, exists (
        select 1 from unnest(${digestKinds}::text[]) kind cross join lateral (
          select n.id, n.created_at from notifications n
          where n.account_id = d.account_id and n.type = kind and not n.filtered order by n.id desc limit 1) newest
        where newest.created_at >= to_timestamp((d.since >> 16) / 1000.0) and newest.id > coalesce((
          select k.last_read_id from markers k
          where k.account_id = d.account_id and k.timeline = 'notifications'), 0) offset 0) as missed
      from due d order by d.id`.execute(tx.db)
    const told = rows.filter((row) => row.missed)
    await sql`
      update users set digest_sent_at = ${new Date(now)}
      where id = any(${told.map((row) => row.id)}::bigint[])`.execute(tx.db)
    for (const { id, email, since } of told) {
      await tx.emit({ type: 'mail.requested', mail: { kind: 'digest', userId: id, to: email, since } })
    }
    return rows.length < digestBatch ? null : (rows.at(-1)?.id ?? null)
  })
}

/** What somebody missed, newest first. Counts end at a hundred. */
export interface Missed {
  mentions: MailedNotification[]
  mentionsCount: number
  followers: Person[]
  followersCount: number
}

/** Null when it is nothing, no longer wanted, or the person has come back. `since`: an id of a status of that time. */
export async function findMissed(reader: Reader, to: MailFacts, since: IdCursor): Promise<Missed | null> {
  if (!wantsMail(to.settings, 'digest') || !(await isAway(reader, to.userId))) return null
  const first = await findFirstIdSince(reader, new Date(idToTime(since)))
  const mentions = await listMissed(reader, to, 'mention', first)
  const followers = await listMissed(reader, to, 'follow', first)
  if (mentions.count + followers.count === 0) return null
  return {
    mentions: mentions.shown,
    mentionsCount: mentions.count,
    followers: followers.shown.map((notification) => notification.from),
    followersCount: followers.count,
  }
}

async function isAway(reader: Reader, userId: UserId): Promise<boolean> {
  const seen = new Date(reader.clock.now() - digestAfter)
  const { rows } = await sql`
    select 1 from users where id = ${userId} and last_active_at <= ${seen}`.execute(reader.db)
  return rows.length > 0
}

async function listMissed(
  reader: Reader,
  to: MailFacts,
  kind: 'mention' | 'follow',
  first: IdCursor,
): Promise<{ shown: MailedNotification[]; count: number }> {
  const recipient = { accountId: to.accountId, permissions: 0n }
  const source = sql`${await notificationSource(reader, recipient, { types: [kind] })} and n.id >= ${first}
    and ${newerThanMarker('n', recipient)} order by n.id desc`
  const { rows } =
    await sql<MailedNotificationRow>`select ${mailedColumns({ notification: 'n', sender: 'a', status: 's' })} ${source} limit ${maxShown}`.execute(
      reader.db,
    )
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from (select n.id ${source} limit ${maxCounted}) c`.execute(reader.db)
  return { shown: rows.map(toMailedNotification), count: counted.rows[0]?.count ?? 0 }
}
