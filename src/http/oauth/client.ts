// Which application calls an OAuth endpoint (RFC 6749 section 2.3).
import type { z } from 'zod'
import { authenticateClient, type Application } from '#domain/identity/oauth/applications.ts'
import { refuseOauth } from '#domain/identity/oauth/oauth-error.ts'
import type { Ctx } from '#ports/ctx.ts'
import { text } from '../kit/params/fields.ts'

/** The parameters in which an application may name itself, for the schemas of routes. */
export const clientFields = { client_id: text(), client_secret: text() }
export type ClientParams = z.output<z.ZodObject<typeof clientFields>>

interface Credentials {
  id: string
  secret: string
}

/** The application of the request. Throws OauthError `invalid_request` or `invalid_client`. */
export async function readClient(ctx: Ctx, request: Request, params: ClientParams): Promise<Application> {
  const found = await findCaller(ctx, request, params)
  if (found) return found
  throw refuseOauth('invalid_client', 'client_unauthenticated')
}

/** As `readClient`, but null when the credentials are missing or wrong. */
export async function findCaller(
  ctx: Ctx,
  request: Request,
  params: ClientParams,
): Promise<Application | null> {
  const credentials = readCredentials(request, params)
  return credentials && authenticateClient(ctx, credentials.id, credentials.secret)
}

function readCredentials(request: Request, params: ClientParams): Credentials | null {
  const basic = readBasic(request.headers.get('authorization'))
  const { client_id: id, client_secret: secret } = params
  if (!basic) return id !== undefined && secret !== undefined ? { id, secret } : null
  if (secret !== undefined || (id !== undefined && id !== basic.id)) {
    throw refuseOauth('invalid_request', 'authenticated_twice')
  }
  return basic
}

/** HTTP Basic, its two parts form-encoded as OAuth wants; what does not decode is taken as it is. */
function readBasic(header: string | null): Credentials | null {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+)\s*$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return null
  const decoded = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon < 0) return null
  return { id: formDecode(decoded.slice(0, colon)), secret: formDecode(decoded.slice(colon + 1)) }
}

function formDecode(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '))
  } catch {
    return value
  }
}
