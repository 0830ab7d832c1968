// JSON-LD signatures (RsaSignature2017), which relays ask for. Those of others have no authority here and are not read.

import { createHash, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { canonize } from './canonize.ts'
import type { SigningKey } from './sign-request.ts'

const signInPool = promisify(sign)

/**
 * Returns the document with a signature over its RDF graph (https://docs.joinmastodon.org/spec/security/#ld), which
 * replaces one that it has. `now` in milliseconds. Rejects when the document has a context that is not built in: none is
 * fetched.
 */
export async function signLinkedData(
  document: Readonly<Record<string, unknown>>,
  key: SigningKey,
  now: number,
): Promise<Record<string, unknown>> {
  const { signature: _, ...unsigned } = document
  const created = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')
  const options = { '@context': 'https://w3id.org/identity/v1', creator: key.id, created }
  const text = (await hash(options)) + (await hash(unsigned))
  const signatureValue = (await signInPool('sha256', Buffer.from(text), key.privateKey)).toString('base64')
  return { ...unsigned, signature: { ...options, type: 'RsaSignature2017', signatureValue } }
}

const hash = async (document: Readonly<Record<string, unknown>>) =>
  createHash('sha256')
    .update(await canonize(document))
    .digest('hex')
