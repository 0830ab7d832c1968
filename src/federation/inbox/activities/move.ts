import { hasJustMoved, loadAliases, recordMove } from '#domain/federation/moves/record-move.ts'
import type { Ctx } from '#ports/ctx.ts'
import { mayTry } from '#federation/fetch/failures.ts'
import { ensureActor } from '#federation/ingest/actors/actor.ts'
import { hostOf, toId } from '#federation/kit/json.ts'
import { isOwnUri } from '#federation/kit/uris.ts'
import type { Handler } from '../kit/handler.ts'
import { findLocalActor } from '../kit/local.ts'
import type { AccountId } from '#lib/id.ts'

/** The actor has gone to another account, which says so too: it is asked anew. */
export const onMove: Handler = async (ctx, { actor, json }) => {
  const uri = toId(json['target'])
  if (uri === null || uri === actor.uri || toId(json['object']) !== actor.uri) return 'ignored'
  if (await hasJustMoved(ctx, actor.id)) return 'ignored'
  const targetId = await findTarget(ctx, uri, actor.uri)
  if (targetId === null || targetId === actor.id) return 'ignored'
  if (!(await loadAliases(ctx, targetId)).includes(actor.uri)) return 'ignored'
  return (await recordMove(ctx, actor.id, targetId)) ? 'done' : 'ignored'
}

/** How often one server has the document of one target read anew. */
const someTimes = { kind: 'move-to', max: 10, seconds: 60 }

async function findTarget(ctx: Ctx, uri: string, by: string): Promise<AccountId | null> {
  if (isOwnUri(ctx.config, uri)) return (await findLocalActor(ctx, uri))?.id ?? null
  const fresh = await mayTry(ctx, { ...someTimes, name: `${hostOf(by)} ${uri}` })
  const target = await ensureActor(ctx, uri, { fresh })
  return target && !target.suspended ? target.id : null
}
