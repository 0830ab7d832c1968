// Lists that staff bring as a file, and this server's own as others can read it.
import { stringify } from 'csv-stringify/sync'
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { invalid } from '#lib/errors.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { allowHost } from '#domain/trust/moderation/hosts/host-allows.ts'
import {
  createHostBlock,
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
  text: string,
  limit: number,
): Promise<{ hosts: DescribedHost[]; total: number; skipped: ParsedList['skipped']; skippedCount: number }> {
  const { hosts, skipped, skippedCount } = requireList(text)
  return {
    hosts: await describeHosts(reader, hosts.slice(0, limit)),
    total: hosts.length,
    skipped,
    skippedCount,
  }
}

/**
 * Blocks what a list names. Blocks there are become stricter, never laxer; with `overwrite` they become as the list has
 * them. Each domain is dealt with by itself: run again, the rest is done. Throws `invalid` for what is no list.
 */
export async function importHostBlocks(
  ctx: Ctx,
  staff: Staff,
  text: string,
  options: { overwrite?: boolean; onEach?(): void } = {},
): Promise<ListImport> {
  const { hosts, skipped, skippedCount } = requireList(text)
  const own = new Set([...namesOf(ctx.config.localDomain), ...namesOf(ctx.config.webDomain)])
  const done: ListImport = { created: 0, updated: 0, unchanged: 0, skipped, skippedCount }
  for (const host of hosts) {
    options.onEach?.()
    if (own.has(host.domain)) done.skippedCount += 1
    else done[await importOne(ctx, staff, host, options.overwrite ?? false)] += 1
  }
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
): Promise<'created' | 'updated' | 'unchanged'> {
  const terms: HostBlockTerms = { ...host }
  const made = await createHostBlock(ctx, staff, host.domain, terms)
  if (made.kind === 'created') return 'created'
  const known = made.by
  if (known.domain !== host.domain) return 'unchanged'
  const wanted = overwrite ? terms : stricter(host, known)
  if (!differs(wanted, known)) return 'unchanged'
  await updateHostBlock(ctx, staff, known.id, wanted)
  return 'updated'
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

/** Allows all domains of a list. Returns how many it named. Throws `invalid`. */
export async function importHostAllows(ctx: Ctx, staff: Staff, text: string): Promise<number> {
  const { hosts } = requireList(text)
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
