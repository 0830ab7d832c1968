import type { JsonObject } from './to-note.ts'

/** The public halves of an actor's keys. */
export interface PublicKeys {
  rsa: { id: string; publicKeyPem: string }
  ed25519: { id: string; publicKeyMultibase: string }
}

/**
 * How an actor publishes its keys: the one of its HTTP signatures as everybody reads it, and the one of its integrity
 * proofs as a Multikey (FEP-521a, https://w3id.org/fep/521a).
 */
export const toPublicKeys = (owner: string, { rsa, ed25519 }: PublicKeys): JsonObject => ({
  publicKey: { id: rsa.id, owner, publicKeyPem: rsa.publicKeyPem },
  assertionMethod: [
    {
      id: ed25519.id,
      type: 'Multikey',
      controller: owner,
      publicKeyMultibase: ed25519.publicKeyMultibase,
    },
  ],
})
