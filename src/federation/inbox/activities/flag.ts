import { saveRemoteReport } from '#domain/trust/moderation/reports/save-remote-report.ts'
import { unique } from '#lib/collections.ts'
import { countUp } from '#federation/fetch/failures.ts'
import { hostOf, toIds, toText } from '#federation/kit/json.ts'
import type { Handler } from '../kit/handler.ts'
import { findLocalActor, findLocalStatus } from '../kit/local.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

const maxObjects = 100
/** Reports that one server may make within so many seconds: staff have to read them. */
const maxReports = 100
const countedFor = 3600

/** A report to the staff here: one of each account that is named, or that wrote what is named. */
export const onFlag: Handler = async (ctx, { actor, id, json }) => {
  const uris = unique(toIds(json['object'])).slice(0, maxObjects)
  const targets = new Set<AccountId>()
  const statusIds: StatusId[] = []
  for (const uri of uris) {
    const status = await findLocalStatus(ctx, uri)
    const account = status ? null : await findLocalActor(ctx, uri)
    if (status) statusIds.push(status.id)
    const targetId = status?.account_id ?? account?.id
    if (targetId !== undefined) targets.add(targetId)
  }
  const host = hostOf(actor.uri) ?? ''
  if ((await countUp(ctx, { kind: 'flags', name: host, seconds: countedFor }, targets.size)) > maxReports) {
    ctx.log.warn({ host, activity: id }, 'reports of a server are dropped: it made too many within an hour')
    return 'ignored'
  }
  const report = {
    accountId: actor.id,
    host,
    uri: id,
    comment: toText(json['content']) ?? '',
    statusIds,
  }
  for (const targetId of targets) await saveRemoteReport(ctx, { ...report, targetId })
  return targets.size > 0 ? 'done' : 'ignored'
}
