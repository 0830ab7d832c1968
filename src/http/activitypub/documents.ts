import { toSigned, type Endpoint, type EndpointCall } from './endpoint.ts'

const mediaType = 'application/activity+json; charset=utf-8'

async function show(call: EndpointCall): Promise<Response> {
  const { ctx, url } = call
  const signed = toSigned(call, null)
  const document = await ctx.activityPub.document({ path: url.pathname, query: url.searchParams, signed })
  const shared = document.maxAge > 0 && !ctx.config.authorizedFetch
  return new Response(JSON.stringify(document.body), {
    status: document.gone ? 410 : 200,
    headers: {
      'content-type': mediaType,
      'cache-control': shared ? `public, max-age=${document.maxAge}` : 'private, no-store',
      vary: 'Accept, Signature, Signature-Input',
    },
  })
}

const document = (path: Endpoint['path']): Endpoint => ({ method: 'GET', path, handle: show })
const besidePage = (path: Endpoint['path']): Endpoint => ({ ...document(path), besidePage: true })

export const endpoints: readonly Endpoint[] = [
  document('/actor'),
  document('/actor/outbox'),
  document('/contexts/:id{[0-9]+}'),
  document('/emojis/:shortcode'),
  document('/users/:username/collections/featured'),
  document('/users/:username/collections/tags'),
  document('/users/:username/followers'),
  document('/users/:username/followers_synchronization'),
  document('/users/:username/following'),
  document('/users/:username/outbox'),
  document('/users/:username/quote_authorizations/:id{[0-9]+}'),
  document('/users/:username/statuses/:id{[0-9]+}/activity'),
  document('/users/:username/statuses/:id{[0-9]+}/likes'),
  document('/users/:username/statuses/:id{[0-9]+}/replies'),
  document('/users/:username/statuses/:id{[0-9]+}/shares'),
  besidePage('/users/:username'),
  besidePage('/users/:username/statuses/:id{[0-9]+}'),
  besidePage('/:handle{@[^/]+}'),
  besidePage('/:handle{@[^/]+}/:id{[0-9]+}'),
]
