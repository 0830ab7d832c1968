// Lists that staff bring as a file, and this server's own as others can read it.
import { stringify } from 'csv-stringify/sync'
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { invalid } from '#lib/errors.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { allowHost } from '#domain/trust/moderation/hosts/host-allows.ts'
import {
  createHostBlock,
  findCover,
  updateHostBlock,
  type HostBlock,
  type HostBlockTerms,
} from '#domain/trust/moderation/hosts/host-blocks.ts'
import { namesOf } from '#domain/server/hosts/may-federate.ts'
import { parseList, type ListedHost, type ParsedList } from './parse-list.ts'
import { describeHosts, type DescribedHost } from './preview.ts'

/** Bytes of a list at most. */
export const maxListBytes = 8_388_608

export interface ListImport {
  created: number
  updated: number
  /** Blocks there were said as much already. */
  unchanged: number
  skipped: ParsedList['skipped']
  skippedCount: number
}

export type ImportOutcome = 'created' | 'updated' | 'unchanged'

export interface ImportOptions {
  /** Blocks there are become as the list has them. */
  overwrite?: boolean
  /** Changes nothing. A server is not told to be covered by one above it in the same list. */
  dryRun?: boolean
  onEach?(domain: string, outcome: ImportOutcome | 'skipped'): void
}

/** Reads a list. Throws `invalid` for what is none. */
export function requireList(text: string): ParsedList {
  const list = parseList(text)
  if (!list || (list.hosts.length === 0 && list.skippedCount === 0))
    throw invalid('file', 'not_a_domain_list')
  return list
}

/** What importing a list would do: its first entries, with what is known of them here. */
export async function previewImport(
  reader: Reader,
  { hosts, skipped, skippedCount }: ParsedList,
  limit: number,
): Promise<{ hosts: DescribedHost[]; total: number; skipped: ParsedList['skipped']; skippedCount: number }> {
  return {
    hosts: await describeHosts(reader, hosts.slice(0, limit)),
    total: hosts.length,
    skipped,
    skippedCount,
  }
}

/**
 * Blocks what a list names. Blocks there are become stricter, never laxer; with `overwrite` they become as the list has
 * them. Each domain is dealt with by itself: run again, the rest is done.
 */
export async function importHostBlocks(
  ctx: Ctx,
  staff: Staff,
  { hosts, skipped, skippedCount }: ParsedList,
  { overwrite = false, dryRun = false, onEach = () => {} }: ImportOptions = {},
): Promise<ListImport> {
  const own = new Set([...namesOf(ctx.config.localDomain), ...namesOf(ctx.config.webDomain)])
  const done: ListImport = { created: 0, updated: 0, unchanged: 0, skipped, skippedCount }
  for (const host of hosts) {
    const carryOut = () => (dryRun ? planOne(ctx, host, overwrite) : importOne(ctx, staff, host, overwrite))
    const outcome = own.has(host.domain) ? 'skipped' : await carryOut()
    if (outcome === 'skipped') done.skippedCount += 1
    else done[outcome] += 1
    onEach(host.domain, outcome)
  }
  if (dryRun) return done
  const { created, updated, unchanged } = done
  await recordImport(ctx, staff, 'domain_block', { created, updated, unchanged })
  return done
}

async function recordImport(
  ctx: Ctx,
  staff: Staff,
  targetType: string,
  details: Record<string, number>,
): Promise<void> {
  await ctx.transaction((tx) => recordAction(tx, staff, { action: 'import', targetType, details }))
}

async function importOne(
  ctx: Ctx,
  staff: Staff,
  host: ListedHost,
  overwrite: boolean,
): Promise<ImportOutcome> {
  const made = await createHostBlock(ctx, staff, host.domain, { ...host })
  if (made.kind === 'created') return 'created'
  const change = changeOf(made.by, host, overwrite)
  if (!change) return 'unchanged'
  await updateHostBlock(ctx, staff, made.by.id, change)
  return 'updated'
}

async function planOne(reader: Reader, host: ListedHost, overwrite: boolean): Promise<ImportOutcome> {
  const known = await findCover(reader, host.domain, { ...host })
  if (!known) return 'created'
  return changeOf(known, host, overwrite) ? 'updated' : 'unchanged'
}

/** What becomes of the block there is; null when it stays as it is. */
function changeOf(known: HostBlock, host: ListedHost, overwrite: boolean): HostBlockTerms | null {
  if (known.domain !== host.domain) return null
  const wanted: HostBlockTerms = overwrite ? { ...host } : stricter(host, known)
  return differs(wanted, known) ? wanted : null
}

const ranks = { noop: 0, silence: 1, suspend: 2 }

function stricter(host: ListedHost, known: HostBlock): HostBlockTerms {
  return {
    severity: ranks[host.severity] > ranks[known.severity] ? host.severity : known.severity,
    rejectMedia: host.rejectMedia || known.reject_media,
    rejectReports: host.rejectReports || known.reject_reports,
    obfuscate: known.obfuscate,
    publicComment: known.public_comment ?? host.publicComment,
  }
}

function differs(terms: HostBlockTerms, known: HostBlock): boolean {
  return (
    terms.severity !== known.severity ||
    terms.rejectMedia !== known.reject_media ||
    terms.rejectReports !== known.reject_reports ||
    terms.obfuscate !== known.obfuscate ||
    (terms.publicComment ?? '') !== (known.public_comment ?? '')
  )
}

/** Allows all domains of a list. Returns how many it named. */
export async function importHostAllows(ctx: Ctx, staff: Staff, { hosts }: ParsedList): Promise<number> {
  for (const { domain } of hosts) await allowHost(ctx, staff, domain)
  await recordImport(ctx, staff, 'domain_allow', { named: hosts.length })
  return hosts.length
}

const blockHeader = [
  '#domain',
  '#severity',
  '#reject_media',
  '#reject_reports',
  '#public_comment',
  '#obfuscate',
]

/** This server's blocks as CSV that Mastodon and others read. Private comments stay here. */
export async function exportHostBlocks(reader: Reader): Promise<string> {
  const { rows } = await sql<Omit<HostBlock, 'id' | 'private_comment' | 'created_at'>>`
    select domain, severity, reject_media, reject_reports, public_comment, obfuscate from domain_blocks
    order by domain`.execute(reader.db)
  const cells = rows.map((row) => [
    row.domain,
    row.severity,
    String(row.reject_media),
    String(row.reject_reports),
    row.public_comment ?? '',
    String(row.obfuscate),
  ])
  return stringify([blockHeader, ...cells])
}

/** The domains that are allowed, as CSV. */
export async function exportHostAllows(reader: Reader): Promise<string> {
  const { rows } = await sql<{ domain: string }>`select domain from domain_allows order by domain`.execute(
    reader.db,
  )
  return stringify([['#domain'], ...rows.map(({ domain }) => [domain])])
}
