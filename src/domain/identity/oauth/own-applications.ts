// Applications that people make for themselves, such as a bot of their own, and look after.
import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import type { ApplicationId } from '#lib/id.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { notFound, unprocessable } from '#lib/errors.ts'
import { hashSecret, newSecret } from '#lib/secrets.ts'
import {
  applicationColumns,
  checkApplication,
  insertApplication,
  toApplication,
  type Application,
  type ApplicationRow,
  type NewApplication,
} from './applications.ts'
import { issueToken } from './issue-token.ts'
import { revokeTokens } from './revoke.ts'

/** Of one person. */
const max = 50

/** What is told this once: only hashes are kept. */
export interface ToldSecrets {
  clientSecret?: string
  /** An access token of the person's own, with all scopes of the application. */
  token?: string
}

/** The viewer's own, newest first. */
export async function listOwnApplications(reader: Reader, viewer: Viewer): Promise<Application[]> {
  const { rows } = await sql<ApplicationRow>`
    select ${applicationColumns('a')} from applications a
    where a.user_id = ${viewer.userId} order by a.id desc limit ${max}`.execute(reader.db)
  return rows.map(toApplication)
}

/** Throws `not_found`, also for those of others. */
export async function getOwnApplication(
  reader: Reader,
  viewer: Viewer,
  id: ApplicationId,
): Promise<Application> {
  const { rows } = await sql<ApplicationRow>`
    select ${applicationColumns('a')} from applications a
    where a.id = ${id} and a.user_id = ${viewer.userId}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return toApplication(rows[0])
}

/** Makes one, with an access token. Throws `invalid` for what cannot be registered, and when there are too many. */
export async function createOwnApplication(
  ctx: Ctx,
  viewer: Viewer,
  input: NewApplication,
): Promise<{ application: Application; told: ToldSecrets }> {
  const checked = checkApplication(input)
  return ctx.transaction(async (tx) => {
    await assertRoom(tx, viewer)
    const { application, secret } = await insertApplication(tx, checked, viewer.userId)
    return { application, told: { clientSecret: secret, token: await makeToken(tx, viewer, application) } }
  })
}

/**
 * Changes what one's own is registered with. Tokens that were given keep their scopes until they are made anew. Throws
 * `not_found`, and `invalid` as `createOwnApplication`.
 */
export async function updateOwnApplication(
  ctx: Ctx,
  viewer: Viewer,
  id: ApplicationId,
  input: NewApplication,
): Promise<void> {
  const { name, website, redirectUris, scopes } = checkApplication(input)
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      update applications set name = ${name}, website = ${website}, redirect_uris = ${redirectUris}::text[],
        scopes = ${scopes}::text[]
      where id = ${id} and user_id = ${viewer.userId} returning id`.execute(tx.db)
    if (rows.length === 0) throw notFound()
    await tx.emit({ type: 'application.updated', applicationId: id })
  })
}

/** Gives one's own another secret; the old one opens nothing any more. Tokens stay. Throws `not_found`. */
export async function rotateClientSecret(ctx: Ctx, viewer: Viewer, id: ApplicationId): Promise<ToldSecrets> {
  const clientSecret = newSecret()
  const { rows } = await sql`
    update applications set client_secret_hash = ${hashSecret(clientSecret)}
    where id = ${id} and user_id = ${viewer.userId} returning id`.execute(ctx.db)
  if (rows.length === 0) throw notFound()
  return { clientSecret }
}

/** Gives the viewer another access token of their own application; those they had of it end. Throws `not_found`. */
export async function rotateOwnToken(ctx: Ctx, viewer: Viewer, id: ApplicationId): Promise<ToldSecrets> {
  const application = await getOwnApplication(ctx, viewer, id)
  return ctx.transaction(async (tx) => {
    await revokeTokens(tx, sql`user_id = ${viewer.userId} and application_id = ${id}`)
    return { token: await makeToken(tx, viewer, application) }
  })
}

/**
 * Ends one's own with all access to it, whoever has it. Its row goes after the posts that were made by it have been
 * parted from it: these stay. Throws `not_found`.
 */
export async function deleteOwnApplication(ctx: Ctx, viewer: Viewer, id: ApplicationId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      update applications set user_id = null, client_id = ${`deleted ${id}`}, client_secret_hash = ${hashSecret(newSecret())}
      where id = ${id} and user_id = ${viewer.userId} returning id`.execute(tx.db)
    if (rows.length === 0) throw notFound()
    await revokeTokens(tx, sql`application_id = ${id}`)
    await sql`delete from oauth_grants where application_id = ${id} and used_at is null`.execute(tx.db)
    await tx.emit({ type: 'application.deleted', applicationId: id })
  })
}

async function makeToken(tx: Tx, viewer: Viewer, { id, scopes }: Application): Promise<string> {
  const { secret } = await issueToken(tx, { applicationId: id, userId: viewer.userId, scopes })
  return secret
}

/** The user's row is locked, so that two at once cannot both be the last. */
async function assertRoom(tx: Tx, { userId }: Viewer): Promise<void> {
  await sql`select 1 from users where id = ${userId} for no key update`.execute(tx.db)
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from applications where user_id = ${userId}`.execute(tx.db)
  if ((rows[0]?.total ?? 0) >= max) throw unprocessable('too_many_applications', { max })
}
