// How far this server trusts another one, where it speaks with it (domain blocks).
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { namesOf } from './may-federate.ts'

export interface HostPolicy {
  /** Its accounts are limited, by a block of that time: they carry it, so that lifting the block ends just these. */
  silencedSince: Date | null
  /** No pictures, media or emoji are taken from it. */
  rejectMedia: boolean
  /** Its reports are not taken. */
  rejectReports: boolean
}

/** What holds for a server that is reached under these hosts: the strictest of all blocks that name one of them. */
export async function loadHostPolicy(reader: Reader, hosts: readonly string[]): Promise<HostPolicy> {
  const { rows } = await sql<HostPolicy>`
    select min(created_at) filter (where severity = 'silence') as "silencedSince",
      coalesce(bool_or(reject_media or severity = 'suspend'), false) as "rejectMedia",
      coalesce(bool_or(reject_reports or severity = 'suspend'), false) as "rejectReports"
    from domain_blocks where domain = any(${hosts.flatMap(namesOf)}::text[])`.execute(reader.db)
  return rows[0] as HostPolicy
}
