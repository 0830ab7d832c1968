// Signing up through an application, as phone apps do.
import type { TestApp } from '#test/app/app.ts'
import { createClient, type Answer, type Client, type Json } from '#test/client/client.ts'

export interface SignUpApp extends Client {
  readonly application: Json
}

export const returnUri = 'stonechat-test://signed-up'

/** An application with a client-credentials token. */
export async function makeSignUpApp(
  app: TestApp,
  options: { redirectUri?: string; scopes?: string } = {},
): Promise<SignUpApp> {
  const scopes = options.scopes ?? 'read write follow push'
  const application = (
    await app.anonymous.post('/api/v1/apps', {
      client_name: 'Sign-up app',
      redirect_uris: options.redirectUri ?? returnUri,
      scopes,
    })
  ).ok()
  const token = (
    await app.anonymous.post('/oauth/token', {
      grant_type: 'client_credentials',
      client_id: application.client_id,
      client_secret: application.client_secret,
      redirect_uri: 'urn:ietf:wg:oauth:2.0:oob',
      scope: scopes,
    })
  ).ok()
  return { ...createClient({ fetch: app.fetch, token: token.access_token }), application }
}

let count = 0

/** What a person fills in, with a name of their own. */
export function registration(
  changes: Record<string, unknown> = {},
): Record<string, unknown> & { username: string; email: string } {
  const username = `newcomer${++count}`
  return {
    username,
    email: `${username}@mail.example`,
    password: 'correct horse battery',
    agreement: true,
    locale: 'en',
    ...changes,
  }
}

export interface Newcomer extends Client {
  readonly answer: Answer
  readonly username: string
  readonly email: string
}

/** Signs a new person up; fails the test unless that works. */
export async function signUp(
  app: TestApp,
  through: Client,
  changes: Record<string, unknown> = {},
): Promise<Newcomer> {
  const given = registration(changes)
  const answer = await through.post('/api/v1/accounts', given)
  const client = createClient({ fetch: app.fetch, token: answer.ok().access_token })
  return { ...client, answer, username: given.username, email: given.email }
}

/** The path of the only link in the newest mail to this address. Runs what waits first. */
export async function mailedPath(app: TestApp, email: string): Promise<string> {
  await app.settle()
  const mail = app.mails.findLast((one) => one.to === email)
  const link = /https?:\/\/\S+\/auth\/\S+/.exec(mail?.text ?? '')?.[0]
  if (!link) throw new Error(`no mail with a link was sent to ${email}`)
  return link.slice(app.ctx.config.baseUrl.length)
}
