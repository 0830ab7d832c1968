// JSON-LD signatures (RsaSignature2017), which relays ask for. Those of others have no authority here and are not read.

import type { KeyObject } from 'node:crypto'
import type { SigningKey } from './sign-request.ts'

/**
 * The document with a signature over its RDF graph (https://docs.joinmastodon.org/spec/security/#ld), replacing one
 * that it has. `now` in milliseconds. Rejects when the document has a context that is not built in: none is fetched.
 */
export async function signLinkedData(
  document: Readonly<Record<string, unknown>>,
  key: SigningKey,
  now: number,
): Promise<Record<string, unknown>> {
  // Loaded when it is first needed: it takes 60 MB.
  const [{ signJsonLd }, { preloadedContexts }, { toInstant }] = await Promise.all([
    import('@fedify/fedify/sig'),
    import('@fedify/fedify/runtime'),
    import('./instant.ts'),
  ])
  const contextLoader = async (url: string) => {
    const found = Object.hasOwn(preloadedContexts, url) ? preloadedContexts[url] : undefined
    if (found === undefined) throw new Error(`the context ${url} is not built in`)
    return { contextUrl: null, document: found, documentUrl: url }
  }
  const { signature: _, ...unsigned } = document
  const created = toInstant(now - (now % 1000))
  return {
    ...(await signJsonLd(unsigned, toCryptoKey(key.privateKey), new URL(key.id), { contextLoader, created })),
  }
}

const toCryptoKey = (key: KeyObject) =>
  key.toCryptoKey({ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, true, ['sign'])
