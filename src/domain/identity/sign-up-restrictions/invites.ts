// Invites: they open closed registrations, and some let people in without approval.
import { randomInt } from 'node:crypto'
import { sql, type Selectable } from 'kysely'
import type { InvitesTable } from '#db/schema/moderation.ts'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { invalid, notFound } from '#lib/errors.ts'
import type { Field } from '#lib/messages/describe-error.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { createTimed } from '#domain/server/instance/document-cache.ts'
import type { AccountId, InviteId } from '#lib/id.ts'

export interface Invite extends Pick<
  Selectable<InvitesTable>,
  'id' | 'account_id' | 'code' | 'uses' | 'expires_at' | 'autofollow' | 'comment' | 'created_at'
> {
  /** The user name of its maker. */
  username: string
  /** Null: as often as people like. */
  max_uses: number | null
  /** It is neither over nor used up, and its maker may still sign in. */
  usable: boolean
}

export interface NewInvite {
  maxUses?: number | null | undefined
  /** Seconds from now; null: no end. */
  expiresIn?: number | null | undefined
  autofollow?: boolean | undefined
  comment?: string | undefined
}

/** Letters and digits that nobody takes for each other. */
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
const codeLength = 12
const maxInviteUses = 100_000
const maxCommentLength = 420
/** A year, in seconds. */
const maxLifetime = 366 * 86_400
/** Invites of one person that are not over at the same time. */
const maxOpen = 100
/** Administrator or invite_users. */
const invites = 0x1 | 0x10000
/** Administrator or invite_bypass_approval. */
const bypasses = 0x1 | 0x200000

/** The maker's login can be used: `users u`, `accounts a`. */
const makerIsHere = sql<boolean>`(u.confirmed_at is not null and u.approved and not u.disabled
  and a.suspended_at is null and a.deleted_at is null and not a.memorial and a.moved_to_account_id is null)`

const notOver = (now: number) => sql<boolean>`(i.expires_at is null or i.expires_at > ${new Date(now)})`
const notUsedUp = sql<boolean>`(i.max_uses is null or i.uses < i.max_uses)`

const columns = (now: number) => sql`
  i.id, i.account_id, a.username, i.code, i.max_uses, i.uses, i.expires_at, i.autofollow, i.comment, i.created_at,
  (${notOver(now)} and ${notUsedUp} and coalesce(${makerIsHere}, false)) as usable`
const tables = sql`invites i join accounts a on a.id = i.account_id left join users u on u.account_id = a.id`

/** Whether people without a role may invite others; at most a minute old. */
export const mayEverybodyInvite = createTimed(60_000, async (reader: Reader) => {
  const { rows } = await sql<{ may: boolean }>`
    select permissions & ${invites} <> 0 as may from roles where id = -99`.execute(reader.db)
  return rows[0]?.may ?? false
})

/** Invites, newest first: of one person, or of all. */
export async function listInvites(
  reader: Reader,
  page: PageRequest,
  filter: { accountId?: AccountId | undefined; usable?: boolean | undefined } = {},
): Promise<Page<Invite>> {
  const now = reader.clock.now()
  const { rows } = await sql<Invite>`
    select ${columns(now)} from ${tables}
    where ${inPage('i.id', page)} and ${filter.accountId === undefined ? sql`true` : sql`i.account_id = ${filter.accountId}`}
      and ${
        filter.usable === undefined
          ? sql`true`
          : sql`(${notOver(now)} and ${notUsedUp} and coalesce(${makerIsHere}, false)) = ${filter.usable}`
      }
    ${orderAndLimit('i.id', page)}`.execute(reader.db)
  return toPage(rows, page, (row) => row.id)
}

/** Throws `not_found`. */
export async function getInvite(reader: Reader, id: InviteId): Promise<Invite> {
  const { rows } = await sql<Invite>`
    select ${columns(reader.clock.now())} from ${tables} where i.id = ${id}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** Whether or not it can be used. */
export async function findInvite(reader: Reader, code: string): Promise<Invite | null> {
  const { rows } = await sql<Invite>`
    select ${columns(reader.clock.now())} from ${tables} where i.code = ${code}`.execute(reader.db)
  return rows[0] ?? null
}

/** Makes an invite of this account. The caller has checked that it may. Throws `invalid` for odd numbers and too many. */
export async function createInvite(
  ctx: Ctx,
  maker: { accountId: AccountId },
  wanted: NewInvite,
  options: { recorded?: boolean } = {},
): Promise<Invite> {
  const now = ctx.clock.now()
  const row = {
    maxUses: inRange(wanted.maxUses, maxInviteUses, 'max_uses'),
    expiresIn: inRange(wanted.expiresIn, maxLifetime, 'expires_in'),
    comment: wanted.comment?.trim() ?? '',
  }
  if ([...row.comment].length > maxCommentLength)
    throw invalid('comment', 'too_long', { max: maxCommentLength })
  return ctx.transaction(async (tx) => {
    await assertNotTooMany(tx, maker.accountId)
    const id = tx.newId<InviteId>()
    await sql`
      insert into invites (id, account_id, code, max_uses, expires_at, autofollow, comment, created_at)
      values (${id}, ${maker.accountId}, ${newCode()}, ${row.maxUses},
        ${row.expiresIn === null ? null : new Date(now + row.expiresIn * 1000)}, ${wanted.autofollow ?? false},
        ${row.comment}, ${new Date(now)})`.execute(tx.db)
    const made = await getInvite(tx, id)
    if (options.recorded) await recordAction(tx, maker, toAction('create', made))
    return made
  })
}

/** Null and 0 mean no limit. */
function inRange(value: number | null | undefined, max: number, name: Field): number | null {
  if (value === undefined || value === null || value === 0) return null
  if (value < 0 || value > max) throw invalid(name, 'invalid')
  return value
}

async function assertNotTooMany(tx: Tx, accountId: AccountId): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from invites i
    where i.account_id = ${accountId} and ${notOver(tx.clock.now())} and ${notUsedUp}`.execute(tx.db)
  if ((rows[0]?.count ?? 0) >= maxOpen) {
    throw invalid('base', 'too_many_invites', { max: maxOpen })
  }
}

function newCode(): string {
  return Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** Ends an invite of one's own. Throws `not_found`. */
export async function revokeInvite(ctx: Ctx, maker: { accountId: AccountId }, id: InviteId): Promise<void> {
  const { rows } = await sql`
    update invites set expires_at = least(expires_at, ${new Date(ctx.clock.now())})
    where id = ${id} and account_id = ${maker.accountId} returning id`.execute(ctx.db)
  if (rows.length === 0) throw notFound()
}

/** Ends anybody's invite. Throws `not_found`. */
export async function deactivateInvite(ctx: Ctx, staff: Staff, id: InviteId): Promise<void> {
  await ctx.transaction(async (tx) => {
    await sql`
      update invites set expires_at = least(expires_at, ${new Date(tx.clock.now())}) where id = ${id}`.execute(
      tx.db,
    )
    await recordAction(tx, staff, toAction('destroy', await getInvite(tx, id)))
  })
}

/** Ends all invites. Returns how many could still have been used. */
export async function deactivateAllInvites(ctx: Ctx, staff: Staff): Promise<number> {
  return ctx.transaction(async (tx) => {
    const now = tx.clock.now()
    const { rows } = await sql`
      update invites i set expires_at = ${new Date(now)} where ${notOver(now)} returning i.id`.execute(tx.db)
    await recordAction(tx, staff, {
      action: 'deactivate_all',
      targetType: 'invite',
      details: { count: rows.length },
    })
    return rows.length
  })
}

const toAction = (action: string, { id, code, username, max_uses, uses }: Invite) => ({
  action,
  targetType: 'invite',
  targetId: id,
  label: code,
  details: { username, max_uses, uses },
})

/** An invite that can be used now. `skipsApproval`: its maker may let people in. */
export interface OpenInvite {
  id: InviteId
  accountId: AccountId
  skipsApproval: boolean
}

/** Null for one that is unknown, over or used up, and when its maker cannot sign in. */
export async function findOpenInvite(reader: Reader, code: string): Promise<OpenInvite | null> {
  const { rows } = await sql<OpenInvite>`
    select i.id, i.account_id as "accountId",
      ((coalesce(r.permissions, 0) | coalesce((select permissions from roles where id = -99), 0)) & ${bypasses}) <> 0
        as "skipsApproval"
    from ${tables} left join roles r on r.id = u.role_id
    where i.code = ${code} and ${notOver(reader.clock.now())} and ${notUsedUp} and ${makerIsHere}`.execute(
    reader.db,
  )
  return rows[0] ?? null
}

/** Uses an invite once. False when somebody else had its last use, or it is over: the limit holds under any rush (AUTH-20). */
export async function useInvite(tx: Tx, id: InviteId): Promise<boolean> {
  const { rows } = await sql`
    update invites i set uses = i.uses + 1
    where i.id = ${id} and ${notUsedUp} and ${notOver(tx.clock.now())} returning i.id`.execute(tx.db)
  return rows.length > 0
}
