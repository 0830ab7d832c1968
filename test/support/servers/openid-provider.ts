// A provider of OpenID Connect as others run it, in this process: oidc-provider, with somebody who is always signed in.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider, type Configuration } from 'oidc-provider'

/** What the provider says of a person. */
export interface ProvidedPerson {
  sub: string
  email?: string
  email_verified?: boolean
  preferred_username?: string
  name?: string
}

export interface OpenidProvider {
  readonly issuer: string
  /** Variables of a server that signs people in through it. */
  readonly env: Record<string, string>
  /** Who is signed in there from now on; null: whoever asks is sent back without. */
  signIn(person: ProvidedPerson | null): void
  /** Paths that the server asked for, as `POST /token`. */
  readonly asked: string[]
  /** Goes there as a browser; returns the address that it is sent back to. */
  visit(url: string): Promise<URL>
  close(): Promise<void>
}

const client = { id: 'stonechat', secret: 'a-secret-of-forty-characters-or-even-more' }

/** Starts a provider on a free port of 127.0.0.1. `callback`: where browsers are sent back to. */
export async function startOpenidProvider(callback: string): Promise<OpenidProvider> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people = new Map<string, ProvidedPerson>()
  const asked: string[] = []
  let present: ProvidedPerson | null = null
  const provider = new Provider(issuer, configure(callback, people))
  provider.on('server_error', (_, error) => console.error(error))
  const handle = provider.callback()
  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? '/', issuer).pathname
    asked.push(`${request.method} ${path}`)
    if (!path.startsWith('/interaction/')) return handle(request, response)
    const result = await answerInteraction(provider, { request, response, present })
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true })
  })
  return {
    issuer,
    asked,
    env: {
      OIDC_ENABLED: 'true',
      OIDC_DISPLAY_NAME: 'Example ID',
      OIDC_ISSUER: issuer,
      OIDC_DISCOVERY: 'true',
      OIDC_SCOPE: 'openid,profile,email',
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
    },
    signIn(person) {
      present = person
      if (person) people.set(person.sub, person)
    },
    visit: (url) => visit(url, issuer),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const configure = (callback: string, people: ReadonlyMap<string, ProvidedPerson>): Configuration => ({
  clients: [
    {
      client_id: client.id,
      client_secret: client.secret,
      redirect_uris: [callback],
      post_logout_redirect_uris: [new URL('/auth/sign_in', callback).href],
    },
  ],
  cookies: { keys: ['test'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username', 'name'] },
  features: { devInteractions: { enabled: false } },
  // As most providers: whoever cannot prove that they began is refused.
  pkce: { required: () => true },
  findAccount: (_, id) => ({ accountId: id, claims: async () => ({ ...people.get(id), sub: id }) }),
})

async function answerInteraction(
  provider: Provider,
  asked: { request: IncomingMessage; response: ServerResponse; present: ProvidedPerson | null },
) {
  const { request, response, present } = asked
  if (!present) return { error: 'access_denied', error_description: 'Not today' }
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login') return { login: { accountId: present.sub } }
  const grant = new provider.Grant({
    accountId: session!.accountId,
    clientId: String(params['client_id']),
  })
  grant.addOIDCScope('openid profile email')
  return { consent: { grantId: await grant.save() } }
}

/** Follows redirects within the provider, with its cookies. */
async function visit(start: string, issuer: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let url = new URL(start)
  while (url.origin === issuer) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const location = response.headers.get('location')
    if (!location) throw new Error(`The provider answers ${response.status}: ${await response.text()}`)
    url = new URL(location, url)
  }
  return url
}
