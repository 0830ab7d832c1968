import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminNote } from '#entities/admin/account.ts'
import { Empty } from '#entities/empty.ts'
import type { Ctx } from '#ports/ctx.ts'
import { createNote, deleteNote, listNotes, type NoteSubject } from '#domain/trust/moderation/notes.ts'
import { getKnownHost } from '#domain/maintenance/dashboard/known-hosts.ts'
import { pageOf, paging, pathId, text } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewNote, viewNotes } from '#views/trust/admin-reports.ts'
import type { PageRequest } from '#lib/page.ts'
import type { AccountId, HostNoteId, ModerationNoteId, ReportId } from '#lib/id.ts'

const ofReport = z.object({ id: pathId<ReportId>() })
const ofAccount = z.object({ id: pathId<AccountId>() })
const words = { text: text() }
const staff = { auth: 'user', permission: 'manage_reports' } as const
const ofReports = {
  read: ['admin:read', 'admin:read:reports'],
  write: ['admin:write', 'admin:write:reports'],
}
const ofHosts = {
  read: ['admin:read', 'admin:read:domain_blocks'],
  write: ['admin:write', 'admin:write:domain_blocks'],
}
const hostStaff = { auth: 'user', permission: 'manage_federation' } as const
const ofHost = z.object({ domain: text() })
const ofAccounts = {
  read: ['admin:read', 'admin:read:accounts'],
  write: ['admin:write', 'admin:write:accounts'],
}

/** Throws `not_found` for a server that is not known here. */
const hostOf = (ctx: Ctx, domain: string | undefined) => getKnownHost(ctx, domain ?? '')

async function list(ctx: Ctx, subject: NoteSubject, request: PageRequest) {
  const page = await listNotes(ctx, subject, request)
  return listed(page, await viewNotes(ctx, page.items))
}

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/reports/:id/notes',
    returns: listOf(AdminNote),
    ...staff,
    scopes: ofReports.read,
    params: ofReport.extend(paging(100)),
    handle: ({ ctx, params }) => list(ctx, { reportId: params.id }, pageOf(params)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/reports/:id/notes',
    returns: AdminNote,
    ...staff,
    scopes: ofReports.write,
    params: ofReport.extend(words),
    handle: async ({ ctx, viewer, params }) =>
      viewNote(ctx, await createNote(ctx, viewer, { reportId: params.id }, params.text)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/accounts/:id/notes',
    returns: listOf(AdminNote),
    ...staff,
    scopes: ofAccounts.read,
    params: ofAccount.extend(paging(100)),
    handle: ({ ctx, params }) => list(ctx, { targetAccountId: params.id }, pageOf(params)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/accounts/:id/notes',
    returns: AdminNote,
    ...staff,
    scopes: ofAccounts.write,
    params: ofAccount.extend(words),
    handle: async ({ ctx, viewer, params }) =>
      viewNote(ctx, await createNote(ctx, viewer, { targetAccountId: params.id }, params.text)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/instances/:domain/notes',
    returns: listOf(AdminNote),
    ...hostStaff,
    scopes: ofHosts.read,
    params: ofHost.extend(paging(100)),
    handle: async ({ ctx, params }) => list(ctx, await hostOf(ctx, params.domain), pageOf(params)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/instances/:domain/notes',
    returns: AdminNote,
    ...hostStaff,
    scopes: ofHosts.write,
    params: ofHost.extend(words),
    handle: async ({ ctx, viewer, params }) =>
      viewNote(ctx, await createNote(ctx, viewer, await hostOf(ctx, params.domain), params.text)),
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/instances/:domain/notes/:id',
    returns: Empty,
    ...hostStaff,
    scopes: ofHosts.write,
    params: ofHost.extend({ id: pathId<HostNoteId>() }),
    async handle({ ctx, viewer, params }) {
      await deleteNote(ctx, viewer, params.id, await hostOf(ctx, params.domain))
      return {}
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/moderation_notes/:id',
    returns: Empty,
    ...staff,
    scopes: ['admin:write'],
    params: z.object({ id: pathId<ModerationNoteId>() }),
    async handle({ ctx, viewer, params }) {
      await deleteNote(ctx, viewer, params.id)
      return {}
    },
  }),
]
