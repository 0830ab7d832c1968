import { randomBytes, timingSafeEqual } from 'node:crypto'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { ApplicationsTable } from '#db/schema/oauth.ts'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { invalidForm, problem } from '#lib/errors.ts'
import type { Problem } from '#lib/messages/describe-error.ts'
import { checkHttpUrl } from '#lib/net/outgoing-url.ts'
import {
  isAbsoluteUri,
  maxRedirectLength,
  redirectProblem,
  type RedirectProblem,
} from '#lib/net/redirect-uri.ts'
import { hashSecret, newSecret } from '#lib/secrets.ts'
import { defaultScopes, parseScopes } from './scopes.ts'
import type { ApplicationId, UserId } from '#lib/id.ts'

export interface Application {
  readonly id: ApplicationId
  readonly name: string
  readonly website: string | null
  readonly redirectUris: readonly string[]
  readonly scopes: readonly string[]
  readonly clientId: string
}

export interface NewApplication {
  name: string
  /** Separated by white space, or a list. */
  redirectUris: string | readonly string[]
  scopes?: string | readonly string[] | undefined
  website?: string | undefined
}

const maxName = 60
const controls = /\p{Cc}/gu
const maxAddress = 2000
const maxRedirects = 50
/**
 * Registers an application (https://docs.joinmastodon.org/methods/apps/#create). The secret is told once. Throws
 * `invalid`.
 */
export async function createApplication(
  ctx: Ctx,
  input: NewApplication,
): Promise<{ application: Application; secret: string }> {
  return insertApplication(ctx, checkApplication(input), null)
}

/** What an application is registered with, checked. */
export type CheckedApplication = Omit<Application, 'id' | 'clientId'>

/** The row of an application. The secret is told once. `userId`: who made it for themselves. */
export async function insertApplication(
  reader: Reader & Pick<Tx, 'newId'>,
  checked: CheckedApplication,
  userId: UserId | null,
): Promise<{ application: Application; secret: string }> {
  const secret = newSecret()
  const application: Application = {
    id: reader.newId(),
    clientId: randomBytes(32).toString('base64url'),
    ...checked,
  }
  await reader.db
    .insertInto('applications')
    .values({
      id: application.id,
      name: application.name,
      website: application.website,
      redirect_uris: [...application.redirectUris],
      scopes: [...application.scopes],
      client_id: application.clientId,
      client_secret_hash: hashSecret(secret),
      user_id: userId,
      created_at: new Date(reader.clock.now()),
    })
    .execute()
  return { application, secret }
}

/** Throws `invalid` with all that is wrong. */
export function checkApplication(input: NewApplication): CheckedApplication {
  const name = input.name.replaceAll(controls, '').trim()
  const website = input.website?.trim() || null
  const scopes = parseScopes(input.scopes ?? [])
  const problems: Problem[] = []
  if (name === '') problems.push(problem('application_name', 'blank'))
  if ([...name].length > maxName) problems.push(problem('application_name', 'too_long', { max: maxName }))
  if (scopes === null) problems.push(problem('scopes', 'not_configured'))
  if (website !== null && !isWebsite(website)) problems.push(problem('website', 'must_be_url'))
  const redirectUris = splitUris(input.redirectUris)
  const wrong = new Set(redirectUris.flatMap((uri) => redirectProblem(uri) ?? []))
  problems.push(...[...wrong].map(describeRedirectProblem))
  if (redirectUris.length === 0) problems.push(problem('registered_uri', 'blank'))
  if (redirectUris.length > maxRedirects)
    problems.push(problem('registered_uri', 'too_many_entries', { max: maxRedirects }))
  if (problems.length > 0 || scopes === null) throw invalidForm(problems)
  return { name, website, redirectUris, scopes: scopes.length > 0 ? scopes : defaultScopes }
}

const describeRedirectProblem = (wrong: RedirectProblem): Problem =>
  wrong === 'too_long'
    ? problem('registered_uri', wrong, { max: maxRedirectLength })
    : problem('registered_uri', wrong)

function splitUris(uris: string | readonly string[]): string[] {
  return [
    ...new Set(
      (typeof uris === 'string' ? [uris] : uris).flatMap((text) => text.split(/\s+/)).filter(Boolean),
    ),
  ]
}

function isWebsite(text: string): boolean {
  return text.length <= maxAddress && isAbsoluteUri(text) && checkHttpUrl(text).url !== null
}

export type ApplicationRow = Pick<
  Selectable<ApplicationsTable>,
  'id' | 'name' | 'website' | 'redirect_uris' | 'scopes' | 'client_id' | 'client_secret_hash'
>

/** The columns of `ApplicationRow`, from the application that is called so. */
export function applicationColumns(application: string): RawBuilder<unknown> {
  const a = sql.id(application)
  return sql`${a}.id, ${a}.name, ${a}.website, ${a}.redirect_uris, ${a}.scopes, ${a}.client_id, ${a}.client_secret_hash`
}

/** An application as the rest of the server knows it. */
export function toApplication(row: ApplicationRow): Application {
  return {
    id: row.id,
    name: row.name,
    website: row.website,
    // Some were registered when fewer schemes were refused.
    redirectUris: row.redirect_uris.filter((uri) => redirectProblem(uri) === null),
    scopes: row.scopes,
    clientId: row.client_id,
  }
}

/** The application, or null. */
export async function findApplication(reader: Reader, id: ApplicationId): Promise<Application | null> {
  const { rows } =
    await sql<ApplicationRow>`select ${applicationColumns('a')} from applications a where a.id = ${id}`.execute(
      reader.db,
    )
  return rows[0] ? toApplication(rows[0]) : null
}

/** The application with this `client_id`, or null. */
export async function findClient(reader: Reader, clientId: string): Promise<Application | null> {
  return (await findClientRow(reader, clientId))?.application ?? null
}

/** The application whose `client_id` and `client_secret` these are, or null. */
export async function authenticateClient(
  reader: Reader,
  clientId: string,
  secret: string,
): Promise<Application | null> {
  const found = await findClientRow(reader, clientId)
  const given = hashSecret(secret)
  return found && timingSafeEqual(given, found.secretHash) ? found.application : null
}

async function findClientRow(reader: Reader, clientId: string) {
  if (clientId.includes('\0')) return null
  const { rows } = await sql<ApplicationRow>`
    select ${applicationColumns('a')} from applications a where a.client_id = ${clientId}`.execute(reader.db)
  return rows[0] ? { application: toApplication(rows[0]), secretHash: rows[0].client_secret_hash } : null
}
