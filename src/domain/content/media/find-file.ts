import { sql, type Selectable } from 'kysely'
import type { AccountsTable } from '#db/schema/accounts.ts'
import type { Config, Reader } from '#ports/ctx.ts'
import { formatAcct } from '#lib/acct.ts'
import { mediaUrl, profileUrl, statusUrl } from '#domain/server/instance/urls.ts'
import {
  asId,
  type AccountId,
  type CustomEmojiId,
  type MediaId,
  type PreviewCardId,
  type StatusId,
} from '#lib/id.ts'

/** Where a file is shown. */
export interface FileUse {
  kind: 'attachment' | 'profile' | 'emoji' | 'preview_card'
  /** Of the attachment, the account, the emoji, or the card. */
  id: MediaId | AccountId | CustomEmojiId | PreviewCardId
  /** Whose it is, or what it is called. */
  name: string | null
  status_id: StatusId | null
  /** A page that shows it; null when none does. */
  url: string | null
}

/** What shows the file at an address of this server or its store; null when nothing does. */
export async function findFileUse(reader: Reader, address: string): Promise<FileUse | null> {
  const { folder, id, key } = readAddress(reader.config, address)
  if (id === null) return null
  if (folder === 'media_attachments') return findAttachment(reader, asId<MediaId>(id))
  if (key === null) return null
  if (folder === 'avatars' || folder === 'headers') return findProfile(reader, asId<AccountId>(id), key)
  if (folder === 'emojis') return findEmoji(reader, asId<CustomEmojiId>(id), key)
  return folder === 'preview_cards' ? findCard(reader, asId<PreviewCardId>(id), key) : null
}

interface Address {
  folder: string | null
  id: string | null
  /** null: it is fetched by this server when somebody looks. */
  key: string | null
}

function readAddress(config: Config, address: string): Address {
  const wanted = URL.parse(address.trim(), config.baseUrl)?.href.split(/[?#]/)[0] ?? ''
  const proxied = wanted.startsWith(`${config.baseUrl}/media_proxy/`)
    ? /\/media_proxy\/(\d{1,19})(?:\/|$)/.exec(wanted)
    : null
  if (proxied) return { folder: 'media_attachments', id: proxied[1] ?? null, key: null }
  const bases = [mediaUrl(config, ''), `${config.baseUrl}/media/`]
  const base = bases.find((one) => wanted.startsWith(one))
  const key = base === undefined ? null : wanted.slice(base.length)
  const [, folder = null, id = null] = /^(?:cache\/)?([a-z_]+)\/(\d{1,19})\//.exec(key ?? '') ?? []
  return { folder, id, key }
}

type Owner = Pick<Selectable<AccountsTable>, 'username' | 'domain' | 'url'>

/** Copies get new names when they are fetched again, so that the id is what counts. */
async function findAttachment(reader: Reader, mediaId: MediaId): Promise<FileUse | null> {
  const { rows } = await sql<Owner & { id: MediaId; status_id: StatusId | null }>`
    select m.id, a.username, a.domain, s.id as status_id, s.url
    from media_attachments m join accounts a on a.id = m.account_id
    left join statuses s on s.id = m.status_id and s.deleted_at is null
    where m.id = ${mediaId}`.execute(reader.db)
  const row = rows[0]
  if (!row) return null
  const own = row.status_id === null ? null : statusUrl(reader.config, row.username, row.status_id)
  return {
    kind: 'attachment',
    id: row.id,
    name: formatAcct(row.username, row.domain),
    status_id: row.status_id,
    url: row.domain === null ? own : row.url,
  }
}

async function findProfile(reader: Reader, accountId: AccountId, key: string): Promise<FileUse | null> {
  const { rows } = await sql<Owner & { id: AccountId }>`
    select id, username, domain, url from accounts
    where id = ${accountId} and ${key} in (avatar_key, avatar_static_key, header_key, header_static_key)`.execute(
    reader.db,
  )
  const row = rows[0]
  if (!row) return null
  const url = row.domain === null ? profileUrl(reader.config, row.username) : row.url
  const name = formatAcct(row.username, row.domain)
  return { kind: 'profile', id: row.id, name, status_id: null, url }
}

async function findEmoji(reader: Reader, emojiId: CustomEmojiId, key: string): Promise<FileUse | null> {
  const { rows } = await sql<{ id: CustomEmojiId; name: string }>`
    select id, ':' || shortcode || ':' || coalesce(' ' || domain, '') as name from custom_emojis
    where id = ${emojiId} and ${key} in (image_key, static_key)`.execute(reader.db)
  const row = rows[0]
  return row ? { kind: 'emoji', id: row.id, name: row.name, status_id: null, url: null } : null
}

async function findCard(reader: Reader, cardId: PreviewCardId, key: string): Promise<FileUse | null> {
  const { rows } = await sql<{ id: PreviewCardId; url: string }>`
    select id, url from preview_cards where id = ${cardId} and image_key = ${key}`.execute(reader.db)
  const row = rows[0]
  return row ? { kind: 'preview_card', id: row.id, name: null, status_id: null, url: row.url } : null
}
