// Others who may say who somebody is, where the operator named some: most servers load none of it.
import type { Config } from '#config/config.ts'
import type { LdapConfig } from '#config/ldap.ts'
import type { OidcConfig } from '#config/sign-in.ts'
import type { OidcParts } from '#adapters/oidc/provider.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Directory, IdentityProvider } from '#ports/identity-providers.ts'
import type { Log } from '#ports/log.ts'

/**
 * Returns the providers and the directory of the configuration. Throws when the file with the directory's authorities cannot be
 * read.
 */
export async function openSignIn(
  { signIn }: Config,
  parts: OidcParts,
): Promise<Pick<Ctx, 'identityProviders' | 'directory'>> {
  return {
    identityProviders: signIn.providers.map((config) => createLater(config, parts)),
    directory: await openDirectory(signIn.ldap, parts.log),
  }
}

/** The library is loaded when somebody first wants to sign in. */
function createLater(config: OidcConfig, parts: OidcParts): IdentityProvider {
  let made: Promise<IdentityProvider> | undefined
  const provider = () =>
    (made ??= import('#adapters/oidc/provider.ts').then(({ createOidcProvider }) =>
      createOidcProvider(config, parts),
    ))
  return {
    name: config.name,
    displayName: config.displayName,
    begin: async () => (await provider()).begin(),
    finish: async (query, memory) => (await provider()).finish(query, memory),
    leave: async () => (await provider()).leave(),
  }
}

async function openDirectory(ldap: LdapConfig | null, log: Log): Promise<Directory | null> {
  if (ldap === null) return null
  const { createLdapDirectory } = await import('#adapters/ldap/directory.ts')
  return createLdapDirectory(ldap, { log })
}
