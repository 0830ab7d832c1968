// With whom this server speaks in limited federation mode (LIMITED_FEDERATION_MODE), and with nobody else.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { notFound } from '#lib/errors.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { requireOtherDomain } from './host-blocks.ts'
import type { DomainAllowId } from '#lib/id.ts'

const targetType = 'domain_allow'

export interface HostAllow {
  id: DomainAllowId
  domain: string
  created_at: Date
}

/** Newest first. */
export async function listHostAllows(reader: Reader, page: PageRequest): Promise<Page<HostAllow>> {
  const { rows } = await sql<HostAllow>`
    select id, domain, created_at from domain_allows where ${inPage('id', page)} ${orderAndLimit('id', page)}`.execute(
    reader.db,
  )
  return toPage(rows, page, (row) => row.id)
}

/** Throws `not_found`. */
export async function getHostAllow(reader: Reader, id: DomainAllowId): Promise<HostAllow> {
  const { rows } = await sql<HostAllow>`
    select id, domain, created_at from domain_allows where id = ${id}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** The permission of just this domain. Throws `not_found`. */
export async function getHostAllowOf(reader: Reader, domain: string): Promise<HostAllow> {
  const { rows } = await sql<HostAllow>`
    select id, domain, created_at from domain_allows where domain = ${domain}`.execute(reader.db)
  if (!rows[0]) throw notFound('domain_not_allowed', { domain })
  return rows[0]
}

/** Allows a server; again answers what there is. Throws `invalid` for what is no domain, and for this server's own. */
export async function allowHost(ctx: Ctx, staff: Staff, text: string | undefined): Promise<HostAllow> {
  const domain = requireOtherDomain(ctx, text)
  return ctx.transaction(async (tx) => {
    await sql`
      insert into domain_allows (id, domain, created_at)
      values (${tx.newId()}, ${domain}, ${new Date(tx.clock.now())}) on conflict (domain) do nothing`.execute(
      tx.db,
    )
    const allow = await getHostAllowOf(tx, domain)
    await recordAction(tx, staff, { action: 'create', targetType, targetId: allow.id, label: domain })
    return allow
  })
}

/**
 * Takes the permission back. In limited federation mode the server's accounts are deleted here. Throws `not_found`.
 */
export async function disallowHost(ctx: Ctx, staff: Staff, id: DomainAllowId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ domain: string }>`
      delete from domain_allows where id = ${id} returning domain`.execute(tx.db)
    if (!rows[0]) throw notFound()
    const { domain } = rows[0]
    await recordAction(tx, staff, { action: 'destroy', targetType, targetId: id, label: domain })
    await tx.emit({ type: 'host.disallowed', domain })
  })
}
