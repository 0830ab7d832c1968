// Which mails people want: a switch for each kind, in their settings or by the link in each such mail.
import { sql, type RawBuilder } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { readSignedId, signId } from '#lib/secrets.ts'
import { permissions } from './permissions.ts'
import type { UserSettings, Viewer } from './viewer.ts'
import { asId, type UserId } from '#lib/id.ts'

/** Kinds of mails that can be switched off, and whether they come unless somebody chose. The names are Mastodon's. */
export const mailDefaults = {
  mention: true,
  quote: true,
  follow: true,
  follow_request: true,
  reblog: false,
  favourite: false,
  digest: true,
  report: true,
  pending_account: true,
  appeal: true,
} as const

export type MailKind = keyof typeof mailDefaults

const mailKinds = Object.keys(mailDefaults) as MailKind[]

/** Kinds that are news of a notification of the same name. */
export const notificationMailKinds = [
  'mention',
  'quote',
  'follow',
  'follow_request',
  'reblog',
  'favourite',
] as const satisfies readonly MailKind[]

export type NotificationMailKind = (typeof notificationMailKinds)[number]

/** Kinds for staff alone, and the permission that makes them staff. Administrators have all. */
const staffKinds: { readonly [K in MailKind]?: bigint } = {
  report: permissions.manage_reports,
  pending_account: permissions.manage_users,
  appeal: permissions.manage_appeals,
}

/** The switch of this name, or null: names come from links. */
export function parseMailKind(text: string): MailKind | null {
  return mailKinds.find((kind) => kind === text) ?? null
}

export function isNotificationMailKind(kind: string): kind is NotificationMailKind {
  return (notificationMailKinds as readonly string[]).includes(kind)
}

/** The switches that mean something to this person. */
export function mailKindsFor(viewer: Pick<Viewer, 'permissions'>): MailKind[] {
  return mailKinds.filter((kind) => {
    const needed = staffKinds[kind]
    return needed === undefined || (viewer.permissions & (needed | permissions.administrator)) !== 0n
  })
}

/** Whether somebody with these settings wants mails of this kind. */
export function wantsMail(settings: UserSettings, kind: MailKind): boolean {
  return settings.notification_emails?.[kind] ?? mailDefaults[kind]
}

/** `wantsMail` as a condition on the row of `users` that is called so. */
export function wantsMailSql(kind: MailKind, user: string): RawBuilder<boolean> {
  return sql`coalesce((${sql.id(user)}.settings -> 'notification_emails' ->> ${kind}::text)::boolean, ${mailDefaults[kind]}::boolean)`
}

/** Sets switches; those that are not named stay. `always`: also while the person is here or is told by push. */
export async function updateMailSettings(
  reader: Reader,
  userId: UserId,
  change: { kinds?: Partial<Record<MailKind, boolean>>; always?: boolean },
): Promise<void> {
  const always = change.always === undefined ? {} : { always_send_emails: change.always }
  await sql`
    update users set settings = settings || ${JSON.stringify(always)}::jsonb || jsonb_build_object(
      'notification_emails',
      coalesce(settings -> 'notification_emails', '{}'::jsonb) || ${JSON.stringify(change.kinds ?? {})}::jsonb)
    where id = ${userId}`.execute(reader.db)
}

const purposeOf = (kind: MailKind) => `unsubscribe:${kind}`

/** What the link in a mail carries to stop mails of its kind (RFC 8058): good for this person and kind alone. */
export function unsubscribeToken(ctx: Pick<Ctx, 'secrets'>, kind: MailKind, userId: UserId): string {
  return signId(ctx.secrets.secretKeyBase, purposeOf(kind), userId)
}

/** The user whose mails of this kind the token stops, or null when this server did not make it. */
export function readUnsubscribeToken(
  ctx: Pick<Ctx, 'secrets'>,
  kind: MailKind,
  token: string,
): UserId | null {
  const id = readSignedId(ctx.secrets.secretKeyBase, purposeOf(kind), token)
  return id === null ? null : asId<UserId>(id)
}
