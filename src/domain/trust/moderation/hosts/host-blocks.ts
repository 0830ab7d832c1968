// On what terms this server is with others (domain blocks): what staff write down. What follows from it happens by event.
import { sql, type Selectable } from 'kysely'
import type { DomainBlocksTable } from '#db/schema/instance.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { recordAction, type AuditDetails, type Staff } from '#domain/server/audit/record.ts'
import { ownDomains } from '#lib/net/own-domains.ts'
import { namesOf } from '#domain/server/hosts/may-federate.ts'
import { requireDomain } from '#domain/social/relationships/domain-blocks.ts'
import type { BlockListSubscriptionId, DomainBlockId } from '#lib/id.ts'

/** `noop`: nothing but what the other switches say. `suspend` includes all of them. */
export const severities = ['noop', 'silence', 'suspend'] as const
export type Severity = (typeof severities)[number]

export interface HostBlock extends Pick<
  Selectable<DomainBlocksTable>,
  'id' | 'reject_media' | 'reject_reports' | 'private_comment' | 'public_comment' | 'created_at'
> {
  /** Normalised. It holds for all domains below it. */
  domain: string
  severity: Severity
  /** The public list shows the domain with some letters hidden. */
  obfuscate: boolean
}

/** What is not given has its default, or stays. */
export interface HostBlockTerms {
  severity?: Severity | undefined
  rejectMedia?: boolean | undefined
  rejectReports?: boolean | undefined
  obfuscate?: boolean | undefined
  privateComment?: string | undefined
  publicComment?: string | undefined
  /** The subscribed list that makes the block, and may change and lift it. */
  subscriptionId?: BlockListSubscriptionId | undefined
}

const columns = sql`id, domain, severity, reject_media, reject_reports, obfuscate, private_comment, public_comment, created_at`

/** The blocks, newest first. */
export async function listHostBlocks(reader: Reader, page: PageRequest): Promise<Page<HostBlock>> {
  const { rows } = await sql<HostBlock>`
    select ${columns} from domain_blocks where ${inPage('id', page)} ${orderAndLimit('id', page)}`.execute(
    reader.db,
  )
  return toPage(rows, page, (row) => row.id)
}

/** Throws `not_found`. */
export async function getHostBlock(reader: Reader, id: DomainBlockId): Promise<HostBlock> {
  const { rows } = await sql<HostBlock>`select ${columns} from domain_blocks where id = ${id}`.execute(
    reader.db,
  )
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** The block of just this normalised domain, not of one above it. */
export async function findHostBlock(reader: Reader, domain: string): Promise<HostBlock | null> {
  const { rows } =
    await sql<HostBlock>`select ${columns} from domain_blocks where domain = ${domain}`.execute(reader.db)
  return rows[0] ?? null
}

export type NewHostBlock = { kind: 'created'; block: HostBlock } | { kind: 'covered'; by: HostBlock }

/**
 * Blocks a server and those below it. `covered`: nothing changed, because another block says as much or more. Throws
 * `invalid` for what is no domain, and for this server's own.
 */
export async function createHostBlock(
  ctx: Ctx,
  staff: Staff,
  text: string | undefined,
  terms: HostBlockTerms,
): Promise<NewHostBlock> {
  const domain = requireOtherDomain(ctx, text)
  return ctx.transaction(async (tx) => {
    const known = await findCover(tx, domain, terms)
    if (known) return { kind: 'covered', by: known }
    const wanted = { ...defaults, ...toColumns(terms) }
    const { rows } = await sql<HostBlock>`
      insert into domain_blocks (id, domain, severity, reject_media, reject_reports, obfuscate, private_comment,
        public_comment, subscription_id, created_at)
      values (${tx.newId()}, ${domain}, ${wanted.severity}, ${wanted.reject_media}, ${wanted.reject_reports},
        ${wanted.obfuscate}, ${wanted.private_comment}, ${wanted.public_comment}, ${terms.subscriptionId ?? null},
        ${new Date(tx.clock.now())})
      on conflict (domain) do nothing returning ${columns}`.execute(tx.db)
    const block = rows[0]
    // Somebody else was faster.
    if (!block) return { kind: 'covered', by: (await findNearestBlock(tx, domain)) as HostBlock }
    await recordAction(tx, staff, toAction('create', block, toDetails(wanted)))
    await tx.emit({ type: 'host-block.created', domain })
    return { kind: 'created', block }
  })
}

/** The block because of which `createHostBlock` would make none for this normalised domain. */
export async function findCover(
  reader: Reader,
  domain: string,
  terms: HostBlockTerms,
): Promise<HostBlock | null> {
  const known = await findNearestBlock(reader, domain)
  const wanted = { ...defaults, ...toColumns(terms) }
  return known && (known.domain === domain || !isStricter(wanted, known)) ? known : null
}

const toAction = (action: string, { id, domain }: HostBlock, details: AuditDetails = {}) => ({
  action,
  targetType: 'domain_block',
  targetId: id,
  label: domain,
  details,
})

/** What people read in the log of a block's terms. */
function toDetails({ severity, reject_media, reject_reports, obfuscate, public_comment }: Columns) {
  return { severity, reject_media, reject_reports, obfuscate, public_comment }
}

/** The domain in its one spelling (FED-38). Throws `invalid`. */
export function requireOtherDomain({ config }: Pick<Reader, 'config'>, text: string | undefined): string {
  const domain = requireDomain(text)
  if (ownDomains(config).some((own) => namesOf(own).includes(domain))) {
    throw invalid('domain', 'own_server')
  }
  return domain
}

type Columns = Omit<HostBlock, 'id' | 'domain' | 'created_at'>

const defaults: Columns = {
  severity: 'silence',
  reject_media: false,
  reject_reports: false,
  obfuscate: false,
  private_comment: null,
  public_comment: null,
}

function toColumns(terms: HostBlockTerms): Partial<Columns> {
  const given = {
    severity: terms.severity,
    reject_media: terms.rejectMedia,
    reject_reports: terms.rejectReports,
    obfuscate: terms.obfuscate,
    private_comment: terms.privateComment === undefined ? undefined : terms.privateComment.trim() || null,
    public_comment: terms.publicComment === undefined ? undefined : terms.publicComment.trim() || null,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** Of the blocks that hold for a normalised domain the one that is nearest to it. */
export async function findNearestBlock(reader: Reader, domain: string): Promise<HostBlock | null> {
  const { rows } = await sql<HostBlock>`
    select ${columns} from domain_blocks where domain = any(${namesOf(domain)}::text[])
    order by length(domain) desc limit 1`.execute(reader.db)
  return rows[0] ?? null
}

type Strictness = Pick<HostBlock, 'severity' | 'reject_media' | 'reject_reports'>

function isStricter(wanted: Strictness, known: Strictness): boolean {
  if (wanted.severity !== known.severity) {
    return severities.indexOf(wanted.severity) > severities.indexOf(known.severity)
  }
  return (
    wanted.severity !== 'suspend' &&
    ((wanted.reject_media && !known.reject_media) || (wanted.reject_reports && !known.reject_reports))
  )
}

/** The server itself changes and lifts only what subscribed lists made, and staff have not made theirs since. */
const isFor = (staff: Staff) => (staff === 'server' ? sql`subscription_id is not null` : sql`true`)

/** Changes the terms of a block. One that a subscribed list made is then the staff's. Throws `not_found`. */
export async function updateHostBlock(
  ctx: Ctx,
  staff: Staff,
  id: DomainBlockId,
  terms: HostBlockTerms,
): Promise<HostBlock> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<HostBlock>`
      select ${columns} from domain_blocks where id = ${id} and ${isFor(staff)} for update`.execute(tx.db)
    const before = rows[0]
    if (!before) throw notFound()
    const after = { ...before, ...toColumns(terms) }
    await sql`
      update domain_blocks set severity = ${after.severity}, reject_media = ${after.reject_media},
        reject_reports = ${after.reject_reports}, obfuscate = ${after.obfuscate},
        private_comment = ${after.private_comment}, public_comment = ${after.public_comment},
        subscription_id = case when ${staff === 'server'} then coalesce(${terms.subscriptionId ?? null}::bigint, subscription_id) end
      where id = ${id}`.execute(tx.db)
    await recordAction(tx, staff, toAction('update', after, toDetails(after)))
    if (after.severity !== before.severity || after.reject_media !== before.reject_media) {
      await tx.emit({ type: 'host-block.updated', domain: before.domain })
    }
    return after
  })
}

/** Lifts a block. Throws `not_found`. */
export async function deleteHostBlock(ctx: Ctx, staff: Staff, id: DomainBlockId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<HostBlock>`
      delete from domain_blocks where id = ${id} and ${isFor(staff)} returning ${columns}`.execute(tx.db)
    const gone = rows[0]
    if (!gone) throw notFound()
    await recordAction(tx, staff, toAction('destroy', gone, toDetails(gone)))
    await tx.emit({ type: 'host-block.deleted', domain: gone.domain, since: gone.created_at.getTime() })
  })
}
