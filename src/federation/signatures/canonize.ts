// The canonical form of an RDF graph, with the contexts that stand in contexts/ and no others: none is ever fetched.

import activityStreams from './contexts/activitystreams.json' with { type: 'json' }
import identity from './contexts/identity-v1.json' with { type: 'json' }
import security from './contexts/security-v1.json' with { type: 'json' }

const contexts = new Map<string, unknown>([
  ['https://www.w3.org/ns/activitystreams', activityStreams],
  ['https://w3id.org/security/v1', security],
  ['https://w3id.org/identity/v1', identity],
])

/**
 * Returns the RDF graph of a JSON-LD document as N-Quads (URDNA2015). Rejects when the document names a context that is
 * not carried here, or has a term that its contexts give no meaning.
 */
export async function canonize(document: Readonly<Record<string, unknown>>): Promise<string> {
  // Loaded when it is first needed: it takes 10 MB. This build of it has no loader that could fetch, nor its weight.
  const { default: jsonld } = await import('jsonld/dist/jsonld.esm.min.js')
  return jsonld.canonize(document, { format: 'application/n-quads', documentLoader: loadContext })
}

async function loadContext(url: string) {
  const document = contexts.get(url)
  if (document === undefined) throw new Error(`the context ${url} is not built in`)
  return { contextUrl: null, documentUrl: url, document }
}
