// Others who may say who somebody is.

/** What a provider says of somebody who has just signed in there. Nothing of it is proven but `uid` and `subject`. */
export interface ClaimedIdentity {
  /** The provider's name, as `openid_connect` or `ldap`. */
  readonly provider: string
  /** By what the operator tells people apart. At most 255 characters. */
  readonly uid: string
  /** By what the provider does: never given to somebody else. */
  readonly subject: string
  readonly email: string | null
  /** The provider has made sure of the address, or the operator says that it does. */
  readonly isEmailVerified: boolean
  /** From which a username can be made. */
  readonly username: string
  readonly displayName: string
}

/** What is kept in the browser until it comes back from the provider. */
export type SignInMemory = Readonly<Record<'state' | 'nonce' | 'verifier', string>>

/** Browsers are sent there, and come back. */
export interface IdentityProvider {
  readonly name: string
  /** As it is shown to people. */
  readonly displayName: string
  /** Returns where the browser goes. Rejects with AppError `unavailable` when the provider cannot be reached. */
  begin(): Promise<{ url: string; memory: SignInMemory }>
  /**
   * Returns who the provider says came back, with the query of the address that it sent the browser to. Rejects with AppError
   * `forbidden` when it says that somebody may not sign in, or says what cannot be believed, `unavailable` when it does
   * not answer.
   */
  finish(query: URLSearchParams, memory: SignInMemory): Promise<ClaimedIdentity>
  /** Returns where the browser goes to sign out there too; null where nobody can, or the provider does not answer. */
  leave(): Promise<string | null>
}

/** It is asked with name and password. */
export interface Directory {
  /**
   * Returns whose name and password these are; null for nobody's. Rejects with AppError `unavailable` when the directory
   * does not answer.
   */
  find(name: string, password: string): Promise<ClaimedIdentity | null>
}
