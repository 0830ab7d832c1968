// Files of suspended accounts. They stay where they are, because a suspension can be lifted, but this server gives them
// to nobody. A store that hands files out itself is told in storage/hide-files.ts.
import { sql } from 'kysely'
import type { Config, Reader } from '#ports/ctx.ts'
import { asId, type AccountId, type MediaId } from '#lib/id.ts'

/** For how long an answer holds where the news of a change are lost, in milliseconds. */
const remembered = 3_000
const maxRemembered = 10_000

/** By configuration, of which each server in a process has its own. */
const answers = new WeakMap<Config, Map<string, { hidden: boolean; until: number }>>()

/** Whether a stored file is to be given to nobody now: it is of a suspended account. One query, seldom. */
export async function isHiddenFile(reader: Reader, key: string): Promise<boolean> {
  const [, folder, id] = /^(?:cache\/)?(avatars|headers|media_attachments)\/(\d+)\//.exec(key) ?? []
  if (folder === undefined || id === undefined) return false
  const known = answers.get(reader.config) ?? new Map()
  answers.set(reader.config, known)
  const name = folder === 'media_attachments' ? `media/${id}` : id
  const now = reader.clock.now()
  const last = known.get(name)
  if (last && last.until > now) return last.hidden
  const hidden = await (folder === 'media_attachments'
    ? isMediaHidden(reader, asId<MediaId>(id))
    : isAccountHidden(reader, asId<AccountId>(id)))
  if (known.size >= maxRemembered) known.clear()
  known.set(name, { hidden, until: now + remembered })
  return hidden
}

/** Has this process ask again: some account was suspended, or is no longer. */
export const invalidateHiddenFiles = ({ config }: Pick<Reader, 'config'>) => void answers.delete(config)

async function isMediaHidden(reader: Reader, id: MediaId): Promise<boolean> {
  const { rows } = await sql`
    select 1 from media_attachments m join accounts a on a.id = m.account_id
    where m.id = ${id} and a.suspended_at is not null`.execute(reader.db)
  return rows.length > 0
}

async function isAccountHidden(reader: Reader, id: AccountId): Promise<boolean> {
  const { rows } = await sql`
    select 1 from accounts where id = ${id} and suspended_at is not null`.execute(reader.db)
  return rows.length > 0
}
