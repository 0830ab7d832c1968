// Integrity proofs of objects (FEP-8b32): `eddsa-jcs-2022` (https://www.w3.org/TR/vc-di-eddsa/#eddsa-jcs-2022).

import { createHash, sign, verify, type KeyObject } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import { decodeBase58, encodeBase58 } from './multikey.ts'

type JsonObject = Readonly<Record<string, unknown>>

export interface ProofKey {
  /** Ed25519. */
  privateKey: KeyObject
  /** Under which address the public key is found among its owner's `assertionMethod`. */
  verificationMethod: string
  created: Date | number
}

/** A proof that can be checked once the key of `verificationMethod` is known. */
export interface DocumentProof {
  verificationMethod: string
  created: Date
  expires: Date | null
}

/** The document with a proof that the holder of the key stands for it. A proof that it has is replaced. */
export function addProof(document: JsonObject, key: ProofKey): Record<string, unknown> {
  const { proof: _, ...unsecured } = document
  const options = {
    ...contextOf(unsecured),
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-jcs-2022',
    verificationMethod: key.verificationMethod,
    proofPurpose: 'assertionMethod',
    // Whole seconds: others read the time and write it anew before they hash it.
    created: new Date(key.created).toISOString().replace(/\.\d+Z$/, 'Z'),
  }
  const proofValue = encodeBase58(sign(null, hashOf(options, unsecured), key.privateKey))
  return { ...unsecured, proof: { ...options, proofValue } }
}

/** What a document's one proof says of itself; null when there is none of this kind, or several. */
export function readProof(document: JsonObject): DocumentProof | null {
  const proof = soleProof(document)
  if (!proof || proof['type'] !== 'DataIntegrityProof' || proof['cryptosuite'] !== 'eddsa-jcs-2022')
    return null
  if (proof['proofPurpose'] !== 'assertionMethod') return null
  const { verificationMethod } = proof
  const created = readTime(proof['created'])
  const expires = readTime(proof['expires'])
  const isComplete = typeof verificationMethod === 'string' && typeof proof['proofValue'] === 'string'
  if (!isComplete || !created || (proof['expires'] !== undefined && !expires)) return null
  return { verificationMethod, created, expires }
}

/**
 * Whether the document has one proof, made with this key over the document as it is, that has not expired at `now`
 * (milliseconds). It does not tell whose key that is: the caller must have it from the owner of the document.
 */
export function verifyProof(document: JsonObject, publicKey: KeyObject, now: number): boolean {
  const read = readProof(document)
  if (!read || publicKey.asymmetricKeyType !== 'ed25519') return false
  if (read.expires !== null && read.expires.getTime() < now) return false
  const { proof: _, ...unsecured } = document
  const { proofValue, ...options } = soleProof(document) ?? {}
  const signature = decodeBase58(String(proofValue))
  if (signature?.length !== 64) return false
  // The context belongs to what is hashed. Some send the proof without it.
  const candidates =
    options['@context'] === undefined ? [{ ...contextOf(unsecured), ...options }, options] : [options]
  try {
    return candidates.some((candidate) => verify(null, hashOf(candidate, unsecured), publicKey, signature))
  } catch {
    return false
  }
}

function soleProof({ proof }: JsonObject): JsonObject | null {
  const [first, ...others] = Array.isArray(proof) ? (proof as unknown[]) : [proof]
  if (typeof first !== 'object' || first === null || Array.isArray(first) || others.length > 0) return null
  return first as JsonObject
}

const contextOf = (document: JsonObject) =>
  document['@context'] === undefined ? {} : { '@context': document['@context'] }

function readTime(value: unknown): Date | null {
  const isTime =
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value)
  const time = isTime ? new Date(value) : null
  return time === null || Number.isNaN(time.getTime()) ? null : time
}

function hashOf(options: JsonObject, document: JsonObject): Buffer {
  return Buffer.concat(
    [options, document].map((part) => createHash('sha256').update(canonicalJson(part)).digest()),
  )
}
