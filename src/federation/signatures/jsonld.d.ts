/** The part of jsonld that is used here. */
declare module 'jsonld/dist/jsonld.esm.min.js' {
  interface RemoteDocument {
    contextUrl: string | null
    documentUrl: string
    document: unknown
  }

  const jsonld: {
    /** Resolves to the document's RDF graph as canonical N-Quads (URDNA2015). Rejects when `documentLoader` does. */
    canonize(
      document: Readonly<Record<string, unknown>>,
      options: {
        format: 'application/n-quads'
        documentLoader: (url: string) => Promise<RemoteDocument>
      },
    ): Promise<string>
  }
  export default jsonld
}
