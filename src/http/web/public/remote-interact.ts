// `/interact`: leads people to their own server, to follow, answer or vote there.
import { html } from 'hono/html'
import { onlyFederated } from '#domain/server/hosts/check-hops.ts'
import { isOwnDomain } from '#domain/identity/accounts/lookup.ts'
import { normaliseDomain, parseAcct } from '#lib/acct.ts'
import { unprocessable } from '#lib/errors.ts'
import type { Ctx } from '#ports/ctx.ts'
import { RemoteError } from '#ports/http-client.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { countAddress } from '#http/kit/address-throttle.ts'
import { textParam } from '../kit/form.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { interactions, renderServerForm, type Interaction } from './interact-form.ts'

/** What somebody wrote of where they are: a server, or their handle there. */
interface Place {
  username: string | null
  domain: string
}

function readPlace(text: string): Place | null {
  const plain = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/+$/, '')
  const handle = parseAcct(plain.replace(/^@/, ''))
  if (handle?.domain) return handle as Place
  const domain = normaliseDomain(plain)
  return domain === null ? null : { username: null, domain }
}

/** What is at this server alone, so that the page leads nobody from anywhere to anywhere. */
function readUri(call: PageCall): string {
  const uri = textParam(call.params, 'uri')
  if (!uri.startsWith(`${call.ctx.config.baseUrl}/`)) throw unprocessable('form_incomplete')
  return uri
}

const readAct = (call: PageCall): Interaction =>
  interactions.find((act) => act === textParam(call.params, 'act')) ?? 'reply'

async function show(call: PageCall): Promise<Response> {
  const [uri, act, acct] = [readUri(call), readAct(call), textParam(call.params, 'acct')]
  const t = textsIn(call.language).pages.remote
  const place = readPlace(acct)
  if (!place) {
    const problem = acct === '' ? '' : t.unknown
    const body = renderServerForm(call.language, { act, uri, acct, problem })
    return renderPage(call, { title: t[act], body, status: problem === '' ? 200 : 422, invite: true })
  }
  if (isOwnDomain(call.ctx.config, place.domain)) return redirectTo(pathHere(uri), 302)
  await countAddress(call.limits, call.address, 'interact')
  const target = (await findTemplate(call.ctx, place)).replaceAll('{uri}', encodeURIComponent(uri))
  const body = html`<p>${t.leads({ server: new URL(target).host })}</p>
    <p><a class="button" href="${target}" rel="noreferrer nofollow">${t.goOn}</a></p>
    <p class="soft"><a href="${uri}">${t.back}</a></p>`
  return renderPage(call, { title: t[act], body, invite: true })
}

const pathHere = (uri: string) => `/authorize_interaction?${new URLSearchParams({ uri })}`
const subscribe = 'http://ostatus.org/schema/1.0/subscribe'
const maxBytes = 65_536

/** Where a server takes such requests, as it says of one of its people; else where most of them do. */
async function findTemplate(ctx: Ctx, { username, domain }: Place): Promise<string> {
  const origin = `http${ctx.config.https ? 's' : ''}://${domain}`
  const usual = `${origin}/authorize_interaction?uri={uri}`
  if (username === null) return usual
  const resource = encodeURIComponent(`acct:${username}@${domain}`)
  try {
    const { status, body } = await ctx.http.send({
      url: `${origin}/.well-known/webfinger?resource=${resource}`,
      headers: { accept: 'application/jrd+json, application/json' },
      types: ['application/jrd+json', 'application/json'],
      maxBytes,
      sign: onlyFederated(ctx),
    })
    return (status === 200 && readTemplate(body.toString('utf8'))) || usual
  } catch (error) {
    if (error instanceof RemoteError) return usual
    throw error
  }
}

function readTemplate(text: string): string | null {
  try {
    const { links } = JSON.parse(text) as { links?: unknown }
    const found = (Array.isArray(links) ? links : []).find((link) => link?.rel === subscribe)
    const template: unknown = found?.template
    const isAddress = typeof template === 'string' && /^https?:\/\/[^/{]+\/.*\{uri\}/i.test(template)
    return isAddress && URL.canParse(template.replaceAll('{uri}', '')) ? template : null
  } catch {
    return null
  }
}

export const pages: readonly Page[] = [{ method: 'GET', path: '/interact', handle: show }]
