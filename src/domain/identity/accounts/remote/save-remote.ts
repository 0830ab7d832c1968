// An account of another server, as its document says: made, or brought up to date.
import { sql, type Selectable } from 'kysely'
import type { AccountsTable } from '#db/schema/accounts.ts'
import type { Tx } from '#ports/ctx.ts'
import { normaliseUsername } from '#lib/acct.ts'
import type { ProfileField } from '../load.ts'
import type { AccountFiles } from '../profile/account-files.ts'
import { passHandle, releaseHandle } from './release-handle.ts'
import type { AccountId } from '#lib/id.ts'

/** What a document says of an account. All of it is checked and within the limits. */
export interface RemoteAccountInput {
  uri: string
  /** Host of `uri`. */
  uriHost: string
  username: string
  /** Confirmed by WebFinger. Null: known already, its handle stays. */
  domain: string | null
  suspended: boolean
  /** This server limits accounts of its server. */
  silencedSince: Date | null
  profile: RemoteProfile
  places: RemotePlaces
  createdAt: Date
}

export interface RemoteProfile {
  display_name: string
  note: string
  note_html: string
  fields: { name: string; value: string; html: string }[]
  actor_type: string
  locked: boolean
  discoverable: boolean | null
  indexable: boolean
  memorial: boolean
  show_media: boolean
  show_media_replies: boolean
  show_featured: boolean
  attribution_domains: string[]
  avatar_remote_url: string | null
  avatar_description: string
  header_remote_url: string | null
  header_description: string
  moved_to_account_id: AccountId | null
  also_known_as: string[]
  url: string
}

export interface RemotePlaces {
  inbox_url: string
  shared_inbox_url: string | null
  outbox_url: string | null
  followers_url: string | null
  following_url: string | null
  featured_url: string | null
  featured_tags_url: string | null
}

export interface SavedRemoteAccount {
  id: AccountId
  domain: string
  first: boolean
  picturesChanged: boolean
  /** Files that are named no more. */
  replaced: (string | null)[]
}

type Before = Omit<RemoteProfile, 'url'> &
  AccountFiles &
  Pick<
    Selectable<AccountsTable>,
    'id' | 'username' | 'uri' | 'suspended_at' | 'url' | 'suspended_by_origin' | 'deleted_at'
  > & {
    domain: string
    fields: ProfileField[]
  }

/**
 * Inserts or updates the account. Who has its handle under another id loses it, because WebFinger says that it is this
 * one's now, and is another account for good: nothing of theirs goes along but what staff decided. `deleted`: it was, here,
 * for good. `retry`: another transaction has just stored it.
 */
export async function saveRemoteAccount(
  tx: Tx,
  input: RemoteAccountInput,
): Promise<SavedRemoteAccount | 'deleted' | 'retry'> {
  const rows = await lockStored(tx, input)
  const byUri = rows.find((row) => row.uri === input.uri)
  // Who waited for the lock may find that the handle has gone already.
  const holder = rows.find((row) => row !== byUri && hasHandle(row, input))
  if (byUri?.deleted_at) return 'deleted'
  if (holder) await releaseHandle(tx, holder)
  const saved = await (byUri ? update(tx, byUri, input) : insert(tx, input))
  // Nothing of it happened then.
  if (saved === 'retry') return saved
  if (holder) await passHandle(tx, holder, saved.id)
  return saved
}

const hasHandle = (row: Before, { username, domain }: RemoteAccountInput) =>
  row.domain === domain && normaliseUsername(row.username) === normaliseUsername(username)

async function lockStored(tx: Tx, { uri, username, domain }: RemoteAccountInput): Promise<Before[]> {
  const { rows } = await sql<Before>`
    select a.id, a.username, a.domain, a.uri, a.display_name, a.note, a.note_html, a.fields, a.actor_type, a.locked,
      a.discoverable, a.indexable, a.memorial, a.show_media, a.show_media_replies, a.show_featured,
      a.attribution_domains, a.avatar_key, a.avatar_static_key, a.avatar_remote_url, a.avatar_description,
      a.header_key, a.header_static_key, a.header_remote_url, a.header_description, a.moved_to_account_id,
      a.also_known_as, a.url, a.suspended_at, a.suspended_by_origin, a.deleted_at
    from accounts a
    where a.id in (
      select id from accounts where uri = ${uri} and domain is not null
      union
      select id from accounts
      where lower(username) = lower(${username}) and coalesce(domain, '') = ${domain} and domain is not null)
      and a.domain is not null
    order by a.id for update`.execute(tx.db)
  return rows
}

async function insert(tx: Tx, input: RemoteAccountInput): Promise<SavedRemoteAccount | 'retry'> {
  const { profile, places } = input
  // Who is known by the document alone has no handle yet.
  if (input.domain === null) return 'retry'
  const now = new Date(tx.clock.now())
  const id = tx.newId<AccountId>()
  const inserted = await tx.db
    .insertInto('accounts')
    .values({
      ...profile,
      ...places,
      fields: JSON.stringify(withVerification([], profile.fields)),
      id,
      uri: input.uri,
      uri_host: input.uriHost,
      username: input.username,
      domain: input.domain,
      silenced_at: input.silencedSince,
      suspended_at: input.suspended ? now : null,
      suspended_by_origin: input.suspended,
      fetched_at: now,
      tried_at: now,
      created_at: input.createdAt,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) return 'retry'
  await sql`insert into account_stats (account_id) values (${id}) on conflict do nothing`.execute(tx.db)
  const picturesChanged = profile.avatar_remote_url !== null || profile.header_remote_url !== null
  return { id, domain: input.domain, first: true, picturesChanged, replaced: [] }
}

async function update(tx: Tx, before: Before, input: RemoteAccountInput): Promise<SavedRemoteAccount> {
  const now = new Date(tx.clock.now())
  const fields = withVerification(before.fields, input.profile.fields)
  // Of an account that is suspended by its server the document shows nothing; what was known is kept.
  const profile = input.suspended ? {} : { ...input.profile, fields }
  const handle = input.domain !== null ? { username: input.username, domain: input.domain } : {}
  const suspension = suspensionOf(before, input.suspended, now)
  const visible = { ...profile, ...handle, ...suspension, ...droppedImages(before, profile) }
  const isOther = Object.entries(visible).some(
    ([name, value]) => JSON.stringify(before[name as keyof Before]) !== JSON.stringify(value),
  )
  await tx.db
    .updateTable('accounts')
    .set((eb) => ({
      ...visible,
      ...input.places,
      ...('fields' in visible && { fields: JSON.stringify(fields) }),
      uri: input.uri,
      uri_host: input.uriHost,
      fetched_at: now,
      tried_at: now,
      ...(isOther && { version: eb('version', '+', 1), updated_at: now }),
    }))
    .where('id', '=', before.id)
    .execute()
  if (isRenamed(before, visible)) await tx.emit({ type: 'account.renamed', accountId: before.id })
  const dropped = droppedImages(before, profile)
  return {
    id: before.id,
    domain: handle.domain ?? before.domain,
    first: false,
    picturesChanged: haveImagesChanged(before, profile),
    replaced: Object.keys(dropped).map((name) => before[name as keyof typeof dropped] ?? null),
  }
}

/** Posts that name it say so by its handle and its page. */
const isRenamed = (before: Before, now: Partial<Pick<Before, 'username' | 'domain' | 'url'>>): boolean =>
  (['username', 'domain', 'url'] as const).some(
    (name) => now[name] !== undefined && now[name] !== before[name],
  )

function suspensionOf(before: Before, suspended: boolean, now: Date) {
  if (suspended && before.suspended_at === null) return { suspended_at: now, suspended_by_origin: true }
  if (!suspended && before.suspended_by_origin) return { suspended_at: null, suspended_by_origin: false }
  return {}
}

type Pictures = Pick<Before, 'avatar_key' | 'avatar_static_key' | 'header_key' | 'header_static_key'>

/** What the actor shows no more goes at once; another picture is shown when it is there. */
function droppedImages(before: Before, profile: Partial<RemoteProfile>): Partial<Pictures> {
  return {
    ...(profile.avatar_remote_url === null && before.avatar_key !== null
      ? { avatar_key: null, avatar_static_key: null }
      : {}),
    ...(profile.header_remote_url === null && before.header_key !== null
      ? { header_key: null, header_static_key: null }
      : {}),
  }
}

function haveImagesChanged(before: Before, profile: Partial<RemoteProfile>): boolean {
  const isWanted = (url: string | null | undefined, old: string | null, key: string | null) =>
    typeof url === 'string' && (url !== old || key === null)
  return (
    isWanted(profile.avatar_remote_url, before.avatar_remote_url, before.avatar_key) ||
    isWanted(profile.header_remote_url, before.header_remote_url, before.header_key)
  )
}

/** A link stays verified as long as it is the same one. */
function withVerification(before: readonly ProfileField[], after: RemoteProfile['fields']): ProfileField[] {
  return after.map(({ name, value, html }) => {
    const same = before.find((old) => old.html === html)
    return { name, value, html, verified_at: same?.verified_at ?? null }
  })
}
