// Accounts and posts of other servers have their pages there.
import { findNamed, findRemotePage } from '#domain/reading/search/find-named.ts'
import { notFound } from '#lib/errors.ts'
import { isId } from '#lib/ids.ts'
import { post, profile } from '../app/views.ts'
import { textParam } from '../kit/form.ts'
import { redirectTo } from '../kit/layout.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { refuseStranger } from './public-page.ts'
import { asId, type StatusId } from '#lib/id.ts'

async function show(call: PageCall): Promise<Response> {
  const refusal = refuseStranger(call)
  if (refusal) return refusal
  const id = textParam(call.params, 'id')
  const named = await findNamed(call.ctx, textParam(call.params, 'handle'))
  if (named?.kind !== 'account') throw notFound()
  const url = await findRemotePage(call.ctx, named.id, isId(id) ? asId<StatusId>(id) : null)
  if (url === null) throw notFound()
  return redirectTo(url, 302)
}

export const pages: readonly Page[] = [
  { method: 'GET', path: '/:handle{@[^/@]+@[^/]+}', app: profile, handle: show },
  { method: 'GET', path: '/:handle{@[^/@]+@[^/]+}/:id{[0-9]+}', app: post, handle: show },
]
