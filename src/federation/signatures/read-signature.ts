// Reads the signature of a request from another server, and refuses what no key could make good.

import { verify, type KeyObject } from 'node:crypto'
import { readCavage } from './read-cavage.ts'
import { readMessageSignature } from './read-message-signature.ts'
import {
  canonicalHost,
  Refusal,
  refuse,
  type FoundSignature,
  type ReadSignature,
  type ReceivedRequest,
  type SignatureAlgorithm,
  type SignatureProblem,
} from './received-request.ts'

export type { ReadSignature, ReceivedRequest, SignatureProblem } from './received-request.ts'

/**
 * The signature of a request (draft-cavage-http-signatures-12; RFC 9421 when there is a `Signature-Input`), or what is
 * wrong with it. Everything is checked here that needs no key: that it covers method, address, time and content, that
 * the content is what it covers, that it is meant for us and for now, and that it can be read in one way only. Never
 * throws. `now` is in milliseconds.
 */
export function readSignature(request: ReceivedRequest, now: number): ReadSignature | SignatureProblem {
  try {
    checkRequest(request)
    const read = request.headers.has('signature-input') ? readMessageSignature : readCavage
    const { signature, text, ...found } = read(request, now)
    return {
      ...found,
      verify: (publicKey) => isMadeBy(publicKey, { algorithm: found.algorithm, signature, text }),
    }
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.message }
    throw error
  }
}

/** Of these, several lines would leave it open which one was signed. */
const single = ['signature', 'signature-input', 'date', 'host', 'digest', 'content-digest', 'content-type']

function checkRequest(request: ReceivedRequest): void {
  const { headers, rawHeaders = [], host, baseUrl, target } = request
  if (!headers.has('signature')) refuse('The request is not signed')
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  const double = single.find((name) => names.indexOf(name) !== names.lastIndexOf(name))
  if (double !== undefined) refuse(`There are several ${double} headers`)
  const asked = headers.get('host')
  if (asked === null) refuse('There is no host header')
  if (canonicalHost(asked, baseUrl) !== canonicalHost(host, baseUrl)) {
    refuse('The request is meant for another host')
  }
  // Others are signed in more than one encoding.
  if (!/^\/[!-~]*$/.test(target)) refuse('The address has characters that must be percent-encoded')
}

/** The hashes to try, by the algorithm that is named and the type of the key. Ed25519 has its own. */
const hashes: Record<SignatureAlgorithm, Partial<Record<string, readonly (string | null)[]>>> = {
  'rsa-sha256': { rsa: ['sha256'] },
  'rsa-v1_5-sha256': { rsa: ['sha256'] },
  // It stands for whatever the key says. Most servers mean SHA-256, some SHA-512.
  hs2019: { rsa: ['sha256', 'sha512'], ed25519: [null] },
  ed25519: { ed25519: [null] },
  'of-key': { rsa: ['sha256'], ed25519: [null] },
}

type Made = Pick<FoundSignature, 'algorithm' | 'signature' | 'text'>

function isMadeBy(publicKey: KeyObject, { algorithm, signature, text }: Made): boolean {
  const candidates = hashes[algorithm][publicKey.asymmetricKeyType ?? ''] ?? []
  return candidates.some((hash) => verify(hash, Buffer.from(text, 'latin1'), publicKey, signature))
}
