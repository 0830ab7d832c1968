// Others who may say who somebody is, where the operator named some: most servers load none of it.
import type { Config } from '#config/config.ts'
import type { OidcConfig } from '#config/sign-in.ts'
import type { OidcParts } from '#adapters/oidc/provider.ts'
import type { Directory, IdentityProvider } from '#ports/identity-providers.ts'
import type { Log } from '#ports/log.ts'

/** Returns the providers of the configuration. The library is loaded when somebody first wants to sign in. */
export function createOidcProviders({ signIn }: Config, parts: OidcParts): IdentityProvider[] {
  return signIn.providers.map((config) => createLater(config, parts))
}

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
  }
}

/** Returns the directory of the configuration, or null. Throws when its file with authorities cannot be read. */
export async function openDirectory({ signIn }: Config, log: Log): Promise<Directory | null> {
  if (signIn.ldap === null) return null
  const { createLdapDirectory } = await import('#adapters/ldap/directory.ts')
  return createLdapDirectory(signIn.ldap, { log })
}
