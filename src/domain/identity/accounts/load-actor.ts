import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { extractShortcodes } from '#lib/text/text.ts'
import { actorUri } from '#domain/server/instance/urls.ts'
import { loadEmojis, type EmojiRow } from '#domain/server/instance/emojis/emojis.ts'
import { loadAccountRows, type AccountRow } from './load.ts'
import type { AccountId } from '#lib/id.ts'

/** A local account with all that its ActivityPub object names. */
export interface ActorFacts extends AccountRow {
  attribution_domains: string[]
  moved_to_uri: string | null
  /** Actors that are the same person's, as they say. */
  also_known_as: string[]
  emojis: readonly EmojiRow[]
}

interface More {
  attribution_domains: string[]
  also_known_as: string[]
  uri: string | null
  username: string | null
}

/** A local account as its actor tells it; null when it is deleted or of another server. */
export async function findActor(reader: Reader, accountId: AccountId): Promise<ActorFacts | null> {
  const [row] = await loadAccountRows(reader, [accountId])
  const { rows } = await sql<More>`
    select a.attribution_domains, a.also_known_as, m.uri, m.username
    from accounts a left join accounts m on m.id = a.moved_to_account_id
    where a.id = ${accountId} and a.domain is null and a.deleted_at is null`.execute(reader.db)
  const more = rows[0]
  if (!row || !more) return null
  const movedTo = more.uri ?? (more.username === null ? null : actorUri(reader.config, more.username))
  const texts = [row.display_name, row.note, ...row.fields.flatMap((field) => [field.name, field.value])]
  const codes = [...new Set(texts.flatMap(extractShortcodes))]
  const emojis = codes.length === 0 ? [] : await loadEmojis(reader, codes)
  return {
    ...row,
    attribution_domains: more.attribution_domains,
    also_known_as: more.also_known_as,
    moved_to_uri: movedTo,
    emojis: emojis.filter((emoji) => emoji.domain === null),
  }
}
