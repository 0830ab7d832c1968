// An application's side of OAuth for tests.
import { createHash, randomBytes } from 'node:crypto'
import type { TestApp } from '#test/app/app.ts'
import type { Browser, Seen } from './browser.ts'
import type { Json } from './client.ts'

export const callback = 'https://app.example/cb'

export interface TestClient {
  readonly id: string
  readonly secret: string
  readonly redirectUri: string
}

/** Registers an application. */
export async function registerClient(
  app: TestApp,
  options: { scopes?: string; redirectUri?: string; redirectUris?: string[]; name?: string } = {},
): Promise<TestClient> {
  const redirectUri = options.redirectUri ?? callback
  const made = (
    await app.anonymous.post('/api/v1/apps', {
      client_name: options.name ?? 'Test app',
      redirect_uris: options.redirectUris ?? [redirectUri],
      scopes: options.scopes ?? 'read write follow push profile',
    })
  ).ok()
  return { id: made.client_id, secret: made.client_secret, redirectUri }
}

/** The path of the authorise page. */
export function authorizePath(client: TestClient, more: Record<string, string> = {}): string {
  const asked = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: client.redirectUri,
    scope: 'read',
    ...more,
  }
  return `/oauth/authorize?${new URLSearchParams(asked)}`
}

/** Opens the authorise page in a signed-in browser and allows what it asks, unless it was allowed before. */
export async function allow(
  browser: Browser,
  client: TestClient,
  more: Record<string, string> = {},
): Promise<Seen> {
  const page = await browser.get(authorizePath(client, more))
  return page.status === 200 ? browser.submit(page.form('/oauth/authorize')) : page
}

/** The parameters that a redirect carries. */
export function carried(seen: Seen): Record<string, string> {
  const location = seen.location ?? ''
  const start = location.search(/[?#]/)
  return Object.fromEntries(new URLSearchParams(start < 0 ? '' : location.slice(start + 1)))
}

/** Asks the token endpoint. */
export async function askToken(
  app: TestApp,
  client: TestClient,
  params: Record<string, string>,
): Promise<{ status: number; body: Json }> {
  return app.anonymous.post('/oauth/token', { client_id: client.id, client_secret: client.secret, ...params })
}

/** From consent to token. */
export async function obtainToken(
  app: TestApp,
  browser: Browser,
  client: TestClient,
  scope = 'read',
): Promise<Json> {
  const code = carried(await allow(browser, client, { scope }))['code']!
  const answer = await askToken(app, client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
  })
  if (answer.status !== 200)
    throw new Error(`the token endpoint answered ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

export const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
export const newVerifier = () => randomBytes(32).toString('base64url')
