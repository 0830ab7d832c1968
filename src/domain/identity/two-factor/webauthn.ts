// What browsers and this server say to each other about passkeys (Web Authentication Level 3).
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Config } from '#ports/ctx.ts'

/** EdDSA, ES256 and RS256, in the order in which they are wanted (RFC 9053, RFC 8812). */
export const algorithms = [-8, -7, -257]
/** In milliseconds. */
export const timeout = 300_000

export interface RelyingParty {
  /** The host of the pages, which passkeys belong to. */
  id: string
  /** The only origin that answers may come from. */
  origin: string
}

export function relyingParty({ baseUrl }: Config): RelyingParty {
  const { hostname, origin } = new URL(baseUrl)
  return { id: hostname, origin }
}

/** Whether browsers know passkeys under this server's address: they want a domain name, and https but on the machine itself. */
export function arePasskeysPossible(config: Config): boolean {
  const { id } = relyingParty(config)
  const isName = !id.includes(':') && !/^[\d.]+$/.test(id)
  return isName && (config.https || id === 'localhost' || id.endsWith('.localhost'))
}

export interface NewKey {
  credentialId: Buffer
  publicKey: Buffer
  signCount: number
  transports: string[]
}

export interface KnownKey {
  credentialId: Buffer
  publicKey: Buffer
  signCount: number
}

const maxCredentialIdLength = 1023
const maxPublicKeyLength = 4096
const knownTransports = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])

/** The new key in a browser's answer (section 7.1). Null unless it answers this challenge, for this server. */
export async function readNewKey(config: Config, challenge: string, answer: string): Promise<NewKey | null> {
  const response = parseAnswer(answer) as RegistrationResponseJSON | null
  if (response === null) return null
  const { verifyRegistrationResponse } = await loadServer()
  const { id, origin } = relyingParty(config)
  try {
    if (await hasCertificates(response)) return null
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified) return null
    const { credential } = registrationInfo
    const [credentialId, publicKey] = [toBytes(credential.id), Buffer.from(credential.publicKey)]
    if (credentialId.length > maxCredentialIdLength || publicKey.length > maxPublicKeyLength) return null
    const transports = readTransports(response.response.transports)
    return { credentialId, publicKey, signCount: credential.counter, transports }
  } catch {
    return null
  }
}

/** The id of the key and the handle of the user that an answer names, unproven. */
export function readNames(answer: string): { credentialId: Buffer; userHandle: string | null } | null {
  const response = parseAnswer(answer)
  if (response === null || typeof response['id'] !== 'string') return null
  const credentialId = toBytes(response['id'])
  if (credentialId.length === 0 || credentialId.length > maxCredentialIdLength) return null
  const { userHandle } = response['response'] as { userHandle?: unknown }
  return { credentialId, userHandle: typeof userHandle === 'string' && userHandle !== '' ? userHandle : null }
}

/**
 * The new sign count of a key that has answered this challenge (section 7.2). Null when it did not, or not on this server;
 * with `verified` also when the person was not asked for a PIN, a finger or the like.
 */
export async function readAssertion(
  config: Config,
  key: KnownKey,
  given: { challenge: string; answer: string; verified: boolean },
): Promise<{ signCount: number } | null> {
  const response = parseAnswer(given.answer) as AuthenticationResponseJSON | null
  if (response === null) return null
  const { verifyAuthenticationResponse } = await loadServer()
  const { id, origin } = relyingParty(config)
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: given.challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      credential: {
        id: key.credentialId.toString('base64url'),
        publicKey: new Uint8Array(key.publicKey),
        counter: key.signCount,
      },
      requireUserVerification: given.verified,
    })
    return verified ? { signCount: authenticationInfo.newCounter } : null
  } catch {
    return null
  }
}

/** Loaded when first needed: it is large, and most servers see a passkey now and then. */
const loadServer = () => import('@simplewebauthn/server')

/** Pages of this server stand in no frame, so no answer comes from one. */
function parseAnswer(text: string): Record<string, unknown> | null {
  try {
    const answer = JSON.parse(text) as { response?: { clientDataJSON?: unknown } } | null
    const clientData = JSON.parse(toBytes(String(answer?.response?.clientDataJSON)).toString()) as {
      crossOrigin?: unknown
    } | null
    return clientData?.crossOrigin === true ? null : (answer as Record<string, unknown>)
  } catch {
    return null
  }
}

/**
 * Nobody is asked to say who made their key. Certificates all the same would have to be checked, with what they link to,
 * from wherever they say.
 */
async function hasCertificates(response: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(
    new Uint8Array(toBytes(String(response.response.attestationObject))),
  )
  const format = attestation.get('fmt')
  return !(format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined))
}

const toBytes = (base64url: string) => Buffer.from(base64url, 'base64url')

function readTransports(given: unknown): string[] {
  const names = Array.isArray(given) ? given.filter((name): name is string => typeof name === 'string') : []
  return [...new Set(names.filter((name) => knownTransports.has(name)))]
}
