import type { Webfinger } from '#entities/instance/discovery.ts'
import type { Config, Reader } from '#ports/ctx.ts'
import { findLocalAccount, isOwnDomain, type LocalAccount } from '#domain/identity/accounts/lookup.ts'
import { actorUri, instanceActorName, mediaUrl, profileUrl } from '#domain/server/instance/urls.ts'
import { normaliseDomain, parseAcct } from '#lib/acct.ts'
import { gone, notFound } from '#lib/errors.ts'

const imageTypes: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
}

/**
 * The JSON Resource Descriptor (RFC 7033) of a local account, named by `acct:user@domain` or by its profile or actor
 * URL; of this server's own actor when it is named by the domain. Throws `not_found`, and `gone` for a deleted
 * account. One that is suspended is found: other servers would take it for deleted, and it may come back.
 */
export async function viewWebfinger(reader: Reader, resource: string): Promise<Webfinger> {
  const { config } = reader
  if (isServerActor(config, resource)) return renderServerActor(config)
  const username = readUsername(config, resource)
  const account = username === null ? null : await findLocalAccount(reader, username)
  if (!account) throw notFound()
  if (account.deleted) throw gone()
  return renderAccountDescriptor(config, account)
}

/** The local user name that a resource means, or null. */
function readUsername(config: Config, resource: string): string | null {
  if (/^https?:\/\//i.test(resource)) return readUsernameFromUrl(config, resource)
  const acct = parseAcct(resource.replace(/^acct:/i, ''))
  return acct && acct.domain !== null && isOwnDomain(config, acct.domain) ? acct.username : null
}

function readUsernameFromUrl(config: Config, resource: string): string | null {
  const url = URL.parse(resource)
  if (!url || !isOwnDomain(config, normaliseDomain(url.host))) return null
  return /^\/(?:@|users\/)([A-Za-z0-9_]+)\/?$/.exec(url.pathname)?.[1] ?? null
}

function isServerActor(config: Config, resource: string): boolean {
  const name = resource.replace(/^acct:@?/i, '').toLowerCase()
  const names = [instanceActorName(config), config.localDomain]
  return (
    names.some((own) => name === `${own}@${config.localDomain}`) || resource === `${config.baseUrl}/actor`
  )
}

function renderServerActor(config: Config): Webfinger {
  const actor = `${config.baseUrl}/actor`
  return {
    subject: `acct:${instanceActorName(config)}@${config.localDomain}`,
    aliases: [actor],
    links: [
      {
        rel: 'http://webfinger.net/rel/profile-page',
        type: 'text/html',
        href: `${config.baseUrl}/about/more?instance_actor=true`,
      },
      { rel: 'self', type: 'application/activity+json', href: actor },
    ],
  }
}

function renderAccountDescriptor(config: Config, account: LocalAccount): Webfinger {
  const profile = profileUrl(config, account.username)
  const actor = actorUri(config, account.username)
  return {
    subject: `acct:${account.username}@${config.localDomain}`,
    aliases: [profile, actor],
    links: [
      { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: profile },
      { rel: 'self', type: 'application/activity+json', href: actor },
      {
        rel: 'http://ostatus.org/schema/1.0/subscribe',
        template: `${config.baseUrl}/authorize_interaction?uri={uri}`,
      },
      // Activity intents (FEP-3b86).
      { rel: 'https://w3id.org/fep/3b86/Create', template: `${config.baseUrl}/share?text={content}` },
      {
        rel: 'https://w3id.org/fep/3b86/Object',
        template: `${config.baseUrl}/authorize_interaction?uri={object}`,
      },
      ...renderAvatarLink(config, account.gone ? null : account.avatar_key),
    ],
  }
}

function renderAvatarLink(config: Config, key: string | null): Webfinger['links'] {
  if (key === null) return []
  const type = imageTypes[key.slice(key.lastIndexOf('.') + 1)]
  return [{ rel: 'http://webfinger.net/rel/avatar', type, href: mediaUrl(config, key) }]
}
