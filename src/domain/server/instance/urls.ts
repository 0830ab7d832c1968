// The addresses of local things. Remote ones carry their own.
import type { Config } from '#ports/ctx.ts'
import type { AccountId, BlockId, CollectionId, ConversationId, RelayId, StatusId } from '#lib/id.ts'

/** An address at one of the alternate domains as the one that it leads to; others as they are. */
export function atOwnHost({ baseUrl, alternateDomains }: Config, address: string): string {
  const [, host = '', rest = ''] = /^https?:\/\/([^/?#]+)(.*)$/is.exec(address) ?? []
  return alternateDomains.includes(host.toLowerCase()) ? baseUrl + rest : address
}

export const profileUrl = (config: Config, username: string) => `${config.baseUrl}/@${username}`
export const actorUri = (config: Config, username: string) => `${config.baseUrl}/users/${username}`
/** The id is the third path segment: a command-line client takes it from there. */
export const statusUrl = (config: Config, username: string, id: StatusId) =>
  `${config.baseUrl}/@${username}/${id}`
/** The name of the server's own actor: its domain, without what no name may have in it. */
export const instanceActorName = ({ localDomain }: Config) =>
  localDomain.replace(/:\d+$/, '').replace(/[[\]:]/g, '')
export const statusUri = (config: Config, username: string, id: StatusId) =>
  `${config.baseUrl}/users/${username}/statuses/${id}`
export const tagUrl = (config: Config, name: string) => `${config.baseUrl}/tags/${encodeURIComponent(name)}`
/** Where people get a stored file: from this server, or from the store when it has a public address of its own. */
export const mediaUrl = ({ baseUrl, s3 }: Config, key: string) =>
  s3?.aliasUrl ? `${s3.aliasUrl}/${encodePath(s3.keyPrefix)}${key}` : `${baseUrl}/media/${key}`
const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/')
export const collectionUrl = (config: Config, id: CollectionId | '') => `${config.baseUrl}/collections/${id}`
export const collectionUri = (config: Config, accountId: AccountId, id: CollectionId) =>
  `${config.baseUrl}/ap/users/${accountId}/collections/${id}`
export const followUri = (config: Config, id: RelayId) => `${config.baseUrl}/ap/follows/${id}`
export const blockUri = (config: Config, id: BlockId) => `${config.baseUrl}/ap/blocks/${id}`
/** The thread that began with a local status, as a collection of all that belongs to it (FEP-7888). */
export const contextUri = (config: Config, conversationId: ConversationId) =>
  `${config.baseUrl}/contexts/${conversationId}`
/** A local author's consent to be quoted by a status (FEP-044f). */
export const quoteAuthorizationUri = (config: Config, username: string, quotingId: StatusId) =>
  `${config.baseUrl}/users/${username}/quote_authorizations/${quotingId}`
