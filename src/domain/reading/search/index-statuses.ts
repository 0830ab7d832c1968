// Keeps what is found of statuses in step with them.
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { documentFormat, toDocument, type Searchable } from './document.ts'
import { openMark } from './marks.ts'
import { dictionaryOf } from './stems.ts'
import type { AccountId, IdCursor, StatusId } from '#lib/id.ts'
import { maxId } from '#lib/ids.ts'

/**
 * Writes what is found of these statuses, as they now are, by two statements. Those that are deleted, and boosts, are
 * found no more. Idempotent; of two at once the one that read the later version wins.
 */
export async function indexStatuses(reader: Reader, ids: readonly StatusId[]): Promise<void> {
  const statuses = await loadSearchable(reader, ids)
  const rows = statuses.map((status) => ({
    ...toDocument(reader.config, status),
    dictionary: dictionaryOf(status.language),
  }))
  await sql`
    with gone as (
      delete from status_search where status_id = any(${ids}::bigint[]) and status_id <> all(${statuses.map((s) => s.id)}::bigint[]))
    insert into status_search (status_id, account_id, version, format, open, document)
    select s.id, s.account_id, d.version, ${documentFormat}, o.open,
      d.document::tsvector
        || coalesce((
          select array_to_tsvector(array_agg(distinct '~' || stem)) from unnest(d.words) word,
            unnest(ts_lexize(d.dictionary::regdictionary, word)) stem
          where stem <> '' and stem <> word), '')
        || case when o.open then ${`'${openMark}'`}::tsvector else '' end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as d (id bigint, version integer, document text, words text[], dictionary text)
    join statuses s on s.id = d.id and s.deleted_at is null
    join accounts a on a.id = s.account_id
    cross join lateral (select case when s.visibility = 'public' then a.indexable end as open) o
    on conflict (status_id) do update
      set version = excluded.version, format = excluded.format, open = excluded.open, document = excluded.document
      where status_search.version <= excluded.version`.execute(reader.db)
}

async function loadSearchable(reader: Reader, ids: readonly StatusId[]): Promise<Searchable[]> {
  const { rows } = await sql<Searchable>`
    select s.id, s.account_id, s.version, s.local, s.text, s.content, s.spoiler_text, s.sensitive, s.reply, s.language,
      s.card_id is not null as has_card, p.options as poll_options,
      exists (select 1 from quotes q where q.status_id = s.id and q.state in ('pending', 'accepted')) as quotes,
      array(select t.name from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id) as tags,
      coalesce((
        select jsonb_agg(jsonb_build_object('type', m.type, 'description', m.description) order by array_position(s.media_ids, m.id))
        from media_attachments m where m.id = any(s.media_ids)), '[]') as media
    from statuses s left join polls p on p.id = s.poll_id
    where s.id = any(${ids}::bigint[]) and s.deleted_at is null and s.reblog_of_id is null`.execute(reader.db)
  return rows
}

/** Statuses that are marked by one statement, which holds their locks until it ends. */
const batch = 500

/**
 * Marks an author's public statuses as open to everybody's search, or no longer so, as the author now wants it. What is
 * marked is a matter of speed: whether somebody may find a status is asked anew each time. Returns how many changed.
 */
export async function markOpen(reader: Reader, accountId: AccountId): Promise<number> {
  let changed = 0
  for (;;) {
    const { rows } = await sql`
      update status_search d set open = a.indexable, document = case when a.indexable
        then d.document || ${`'${openMark}'`}::tsvector else ts_delete(d.document, ${openMark}) end
      from accounts a
      where a.id = ${accountId} and d.status_id in (
        select o.status_id from status_search o
        where o.account_id = ${accountId} and o.open = not (select i.indexable from accounts i where i.id = ${accountId})
        limit ${batch})
      returning d.status_id`.execute(reader.db)
    changed += rows.length
    if (rows.length < batch) return changed
  }
}

export interface DeployProgress {
  /** Statuses looked at. */
  seen: number
  /** Those whose documents were written. */
  written: number
}

export interface DeployOptions {
  /** Writes all documents anew, not only those that are missing or of an older state. */
  all: boolean
  batchSize: number
  onProgress(progress: DeployProgress): void
}

/**
 * Writes the documents of all statuses that have none, or one of an older state, newest first. What is done stays done:
 * after an interruption it goes on with the rest. Returns what was done.
 */
export async function deploySearch(reader: Reader, options: DeployOptions): Promise<DeployProgress> {
  const progress = { seen: 0, written: 0 }
  let before: IdCursor = maxId
  for (;;) {
    const { rows } = await sql<{ id: StatusId; outdated: boolean }>`
      select s.id, d.status_id is null or d.version <> s.version or d.format <> ${documentFormat}
        or d.open is distinct from case when s.visibility = 'public' then a.indexable end as outdated
      from statuses s join accounts a on a.id = s.account_id left join status_search d on d.status_id = s.id
      where s.id < ${before}::bigint and s.deleted_at is null and s.reblog_of_id is null
      order by s.id desc limit ${options.batchSize}`.execute(reader.db)
    const wanted = rows.filter((row) => options.all || row.outdated).map((row) => row.id)
    if (wanted.length > 0) await indexStatuses(reader, wanted)
    progress.seen += rows.length
    progress.written += wanted.length
    options.onProgress({ ...progress })
    const last = rows.at(-1)
    if (!last || rows.length < options.batchSize) return progress
    before = last.id
  }
}
