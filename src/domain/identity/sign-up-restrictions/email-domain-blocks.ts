// Providers of e-mail whose addresses nobody signs up with, or only with approval.
import { isIP } from 'node:net'
import { sql, type Selectable } from 'kysely'
import type { EmailDomainBlocksTable } from '#db/schema/moderation.ts'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { normaliseDomain } from '#lib/acct.ts'
import { normaliseAddress } from '#lib/net/cidr.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { mapPage, toPage, type Page, type PageRequest } from '#lib/page.ts'
import { recordActions, type Staff } from '#domain/server/audit/record.ts'
import { loadBlockUse, type DayOfUse } from './email-domain-use.ts'
import { findMailExchange } from './mail-exchange.ts'
import type { EmailDomainBlockId } from '#lib/id.ts'

/**
 * `domain`: a normalised domain, which holds for those below it, or the address of a host that takes mail. `parent_id`: the
 * block whose mail hosts led to this one; both end together.
 */
type BlockRow = Pick<
  Selectable<EmailDomainBlocksTable>,
  'id' | 'domain' | 'allow_with_approval' | 'parent_id' | 'created_at'
>

export interface EmailDomainBlock extends BlockRow {
  /** The last seven days, today first. */
  history: readonly DayOfUse[]
}

export interface NewEmailDomainBlock {
  domain: string | undefined
  allowWithApproval?: boolean | undefined
  /** Further domains that are blocked with it, and end with it. */
  otherDomains?: readonly string[] | undefined
  /** Also blocks the hosts that take its mail now. */
  withMailHosts?: boolean | undefined
}

const columns = sql`id, domain, allow_with_approval, parent_id, created_at`

/** The blocks, newest first. */
export async function listEmailDomainBlocks(
  reader: Reader,
  page: PageRequest,
): Promise<Page<EmailDomainBlock>> {
  const { rows } = await sql<BlockRow>`
    select ${columns} from email_domain_blocks where ${inPage('id', page)} ${orderAndLimit('id', page)}`.execute(
    reader.db,
  )
  const withHistory = await addHistory(reader, rows)
  return mapPage(
    toPage(rows, page, (row) => row.id),
    (items) => items.map((row) => withHistory.get(row.id) as EmailDomainBlock),
  )
}

/** Throws `not_found`. */
export async function getEmailDomainBlock(reader: Reader, id: EmailDomainBlockId): Promise<EmailDomainBlock> {
  const { rows } = await sql<BlockRow>`
    select ${columns} from email_domain_blocks where id = ${id}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return (await addHistory(reader, rows)).get(id) as EmailDomainBlock
}

/** The block of just this domain, however it is spelled. */
export async function findEmailDomainBlock(
  reader: Reader,
  domain: string,
): Promise<{ id: EmailDomainBlockId } | null> {
  const { rows } = await sql<{ id: EmailDomainBlockId }>`
    select id from email_domain_blocks where domain = ${parseMailDomain(domain) ?? domain}`.execute(reader.db)
  return rows[0] ?? null
}

async function addHistory(
  reader: Reader,
  rows: readonly BlockRow[],
): Promise<Map<EmailDomainBlockId, EmailDomainBlock>> {
  const use = await loadBlockUse(
    reader,
    rows.map(({ id }) => id),
  )
  return new Map(rows.map((row) => [row.id, { ...row, history: use.get(row.id) ?? [] }]))
}

/**
 * Blocks an e-mail domain, and what is named beside it as its children. Those that are blocked already stay as they
 * are. Throws `invalid` for what is no domain, and when the domain itself is blocked already.
 */
export async function createEmailDomainBlock(
  ctx: Ctx,
  staff: Staff,
  wanted: NewEmailDomainBlock,
): Promise<EmailDomainBlock> {
  const domain = requireMailDomain(wanted.domain)
  const others = (wanted.otherDomains ?? []).map(requireMailDomain)
  // The network is asked before the transaction.
  const hosts = wanted.withMailHosts ? (await findMailExchange(ctx, domain)).hosts : []
  const children = [...new Set([...others, ...hosts])].filter((other) => other !== domain)
  const id = await ctx.transaction(async (tx) => {
    const approval = wanted.allowWithApproval ?? false
    const [made] = await insertBlocks(tx, { domains: [domain], approval, parentId: null })
    if (!made) throw invalid('domain', 'taken')
    const below = await insertBlocks(tx, { domains: children, approval, parentId: made.id })
    await recordActions(
      tx,
      staff,
      [made, ...below].map((block) => toAction('create', block)),
    )
    return made.id
  })
  return getEmailDomainBlock(ctx, id)
}

async function insertBlocks(
  tx: Tx,
  blocks: { domains: readonly string[]; approval: boolean; parentId: EmailDomainBlockId | null },
): Promise<BlockRow[]> {
  const ids = blocks.domains.map(() => tx.newId())
  const { rows } = await sql<BlockRow>`
    insert into email_domain_blocks (id, domain, allow_with_approval, parent_id, created_at)
    select new.id, new.domain, ${blocks.approval}, ${blocks.parentId}::bigint, ${new Date(tx.clock.now())}::timestamptz
    from unnest(${ids}::bigint[], ${blocks.domains}::text[]) as new (id, domain)
    on conflict (domain) do nothing returning ${columns}`.execute(tx.db)
  return rows
}

const toAction = (action: string, { id, domain, allow_with_approval }: BlockRow) => ({
  action,
  targetType: 'email_domain_block',
  targetId: id,
  label: domain,
  details: { allow_with_approval },
})

/** Lifts a block, and those that came with it. Throws `not_found`. */
export async function deleteEmailDomainBlock(ctx: Ctx, staff: Staff, id: EmailDomainBlockId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows: children } = await sql<BlockRow>`
      delete from email_domain_blocks where parent_id = ${id} returning ${columns}`.execute(tx.db)
    const { rows } = await sql<BlockRow>`
      delete from email_domain_blocks where id = ${id} returning ${columns}`.execute(tx.db)
    if (!rows[0]) throw notFound()
    await recordActions(
      tx,
      staff,
      [...rows, ...children].map((block) => toAction('destroy', block)),
    )
  })
}

/** A domain, or the address of a host, in its one spelling. Null when it is neither. */
export function parseMailDomain(text: string): string | null {
  const given = text.trim().replace(/^@/, '')
  if (isIP(given)) return normaliseAddress(given)
  const domain = normaliseDomain(given)
  return domain === null || domain.includes(':') ? null : domain
}

function requireMailDomain(text: string | undefined): string {
  if ((text ?? '').trim() === '') throw invalid('domain', 'blank')
  const domain = parseMailDomain(text as string)
  if (domain === null) throw invalid('domain', 'not_a_domain_name')
  return domain
}
