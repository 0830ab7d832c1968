// Posts that are being written: a draft is a post, or a thread of several.
import { sql, type Selectable } from 'kysely'
import type { DraftsTable } from '#db/schema/status-parts.ts'
import type { Reader } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { AppError, notFound, sentence } from '#lib/errors.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import type { StatusInput } from '../publish/prepare-status.ts'
import type { AccountId, DraftId, MediaId, StatusId } from '#lib/id.ts'

/** A post of a draft: as a status is asked for, though it need not be one yet that could be published. */
export type DraftPost = Omit<StatusInput, 'applicationId' | 'inReplyToId' | 'allowedMentions'>

export interface DraftContent {
  /** What the first post answers; each further one answers the one before it. */
  inReplyToId?: StatusId | undefined
  posts: readonly DraftPost[]
}

export type DraftRow = Pick<
  Selectable<DraftsTable>,
  'id' | 'account_id' | 'version' | 'created_at' | 'updated_at'
> & { content: DraftContent }

const columns = sql`id, account_id, version, content, created_at, updated_at`

/** A draft is another one by now than that which a change builds on. The route shows what it is. */
export class DraftChanged extends AppError {
  readonly draftId: DraftId
  constructor(draftId: DraftId) {
    super('conflict', sentence('draft_changed'))
    this.draftId = draftId
  }
}

/** A page of an account's drafts, those that were begun last first. */
export async function listDrafts(
  reader: Reader,
  accountId: AccountId,
  page: PageRequest,
): Promise<Page<DraftRow>> {
  const { rows } = await sql<DraftRow>`
    select ${columns} from drafts where account_id = ${accountId} and ${inPage('id', page)}
    ${orderAndLimit('id', page)}`.execute(reader.db)
  return toPage(rows, page, (row) => row.id)
}

/** One of an account's own, or null. */
export async function findDraft(reader: Reader, accountId: AccountId, id: DraftId): Promise<DraftRow | null> {
  const { rows } = await sql<DraftRow>`
    select ${columns} from drafts where id = ${id} and account_id = ${accountId}`.execute(reader.db)
  return rows[0] ?? null
}

/** One of an account's own. Throws `not_found`, also for those of others. */
export async function getDraft(reader: Reader, accountId: AccountId, id: DraftId): Promise<DraftRow> {
  const found = await findDraft(reader, accountId, id)
  if (!found) throw notFound()
  return found
}

/** What a draft holds of media, in its order. */
export const mediaOf = ({ posts }: DraftContent): MediaId[] => posts.flatMap((post) => post.mediaIds ?? [])

/** What it answers and quotes: statuses of other servers are kept as long as somebody writes about them. */
export const statusesOf = ({ inReplyToId, posts }: DraftContent): StatusId[] =>
  [inReplyToId, ...posts.map((post) => post.quotedStatusId)].filter((id) => id !== undefined)
