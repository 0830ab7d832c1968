// What a server runs (NodeInfo 2, FEP-f1d5).
import { claimHostInfo, saveHostInfo } from '#domain/server/hosts/host-info.ts'
import { onlyFederated } from '#domain/server/hosts/check-hops.ts'
import { mayFederate } from '#domain/server/hosts/may-federate.ts'
import { schemeFor } from '#lib/net/outgoing-url.ts'
import type { Ctx } from '#ports/ctx.ts'
import { RemoteError } from '#ports/http-client.ts'
import { toObject, toObjects, toText, type JsonObject } from '../kit/json.ts'
import { parseDocument } from './document-types.ts'

const maxBytes = 65_536
const schema = /^https?:\/\/nodeinfo\.diaspora\.software\/ns\/schema\/2\.[01]$/

/** Asks a server what it is, unless that was done in the last days. Never throws for what it does. */
export async function learnHost(ctx: Ctx, host: string): Promise<void> {
  if (!(await mayFederate(ctx, host)) || !(await claimHostInfo(ctx, host))) return
  const links = await getJson(ctx, `${schemeFor(ctx.config, host)}//${host}/.well-known/nodeinfo`)
  const found = toObjects(links?.['links']).filter((link) => schema.test(toText(link['rel']) ?? ''))
  const href = toText(found.at(-1)?.['href'])
  const software = href === null ? null : toObject((await getJson(ctx, href))?.['software'])
  await saveHostInfo(ctx, host, {
    software: readWord(software?.['name'])?.toLowerCase() ?? null,
    version: readWord(software?.['version']),
  })
}

const readWord = (value: unknown) => toText(value)?.trim().slice(0, 100) || null

async function getJson(ctx: Ctx, url: string): Promise<JsonObject | null> {
  try {
    const types = ['application/json', 'application/jrd+json', 'application/activity+json']
    const answer = await ctx.http.send({
      url,
      headers: { accept: 'application/json' },
      types,
      maxBytes,
      sign: onlyFederated(ctx),
    })
    return answer.status === 200 ? parseDocument(answer.body) : null
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    ctx.log.debug({ url, reason: error.message }, 'a server could not be asked what it is')
    return null
  }
}
