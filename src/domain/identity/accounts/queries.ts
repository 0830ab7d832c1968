import { sql, type QueryExecutorProvider, type Selectable } from 'kysely'
import { keepStatement } from '#db/keep-statement.ts'
import type { AccountsTable } from '#db/schema/accounts.ts'
import type { Reader } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import type { ProfileField } from './load.ts'
import type { UserSettings } from './viewer.ts'
import { everyoneId, type HeldRole } from './permissions.ts'
import { presentAccount } from './presence.ts'
import type { AccountId, UserId } from '#lib/id.ts'

/** What rules about an account need to know. Texts and pictures are loaded by the views. */
export interface AccountFacts extends Pick<
  Selectable<AccountsTable>,
  | 'id'
  | 'username'
  | 'domain'
  | 'locked'
  | 'silenced_at'
  | 'suspended_at'
  | 'memorial'
  | 'moved_to_account_id'
> {
  hide_collections: boolean | null
}

const columns = sql`a.id, a.username, a.domain, a.locked, a.hide_collections, a.silenced_at, a.suspended_at, a.memorial,
  a.moved_to_account_id`

const askAccount = keepStatement((db: QueryExecutorProvider, id: AccountId) =>
  sql<AccountFacts>`
    select ${columns} from accounts a where a.id = ${id} and ${presentAccount('a')}`.execute(db),
)

/** The account, suspended ones too. Throws `not_found`. */
export async function getAccountFacts(reader: Reader, id: AccountId): Promise<AccountFacts> {
  const { rows } = await askAccount(reader.db, id)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** The account with this handle; `domain` null means local. Suspended ones too. */
export async function findAccountByHandle(
  reader: Reader,
  username: string,
  domain: string | null,
): Promise<AccountFacts | null> {
  const { rows } = await sql<AccountFacts>`
    select ${columns} from accounts a
    where lower(a.username) = lower(${username}) and coalesce(a.domain, '') = ${domain?.toLowerCase() ?? ''}
      and ${presentAccount('a')}`.execute(reader.db)
  return rows[0] ?? null
}

/** The columns of an account that its owner changes, as far as they read them as they are. */
export type ProfileColumns = Pick<
  Selectable<AccountsTable>,
  | 'display_name'
  | 'actor_type'
  | 'locked'
  | 'indexable'
  | 'show_media'
  | 'show_media_replies'
  | 'show_featured'
  | 'attribution_domains'
  | 'avatar_key'
  | 'avatar_static_key'
  | 'avatar_description'
  | 'header_key'
  | 'header_static_key'
  | 'header_description'
>

/** What only the owner of a local account sees of it, and what they edit. */
export interface OwnProfile extends ProfileColumns {
  id: AccountId
  user_id: UserId
  /** Plain text. */
  note: string
  fields: ProfileField[]
  discoverable: boolean | null
  hide_collections: boolean | null
  settings: UserSettings
  role: HeldRole
}

/** The profile as its owner edits it. Throws `not_found`. */
export async function getOwnProfile(reader: Reader, id: AccountId): Promise<OwnProfile> {
  const { rows } = await sql<OwnProfile>`
    select a.id, u.id as user_id, a.display_name, a.note, a.fields, a.actor_type, a.locked, a.discoverable, a.indexable,
      a.hide_collections, a.show_media, a.show_media_replies, a.show_featured, a.attribution_domains, a.avatar_key,
      a.avatar_static_key, a.avatar_description, a.header_key, a.header_static_key, a.header_description, u.settings,
      jsonb_build_object('id', r.id::text, 'name', r.name, 'color', r.color, 'highlighted', r.highlighted,
        'permissions', (r.permissions | e.permissions)::text, 'collection_limit', r.collection_limit) as role
    from accounts a
    join users u on u.account_id = a.id
    join roles e on e.id = ${everyoneId}
    join roles r on r.id = coalesce(u.role_id, ${everyoneId})
    where a.id = ${id} and a.deleted_at is null`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}
