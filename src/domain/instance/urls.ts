// The addresses of local things. Remote ones carry their own.
import type { Config } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'

export const profileUrl = (config: Config, username: string) => `${config.baseUrl}/@${username}`
export const actorUri = (config: Config, username: string) => `${config.baseUrl}/users/${username}`
/** The id is the third path segment: a command-line client takes it from there. */
export const statusUrl = (config: Config, username: string, id: Id) => `${config.baseUrl}/@${username}/${id}`
export const statusUri = (config: Config, username: string, id: Id) =>
  `${config.baseUrl}/users/${username}/statuses/${id}`
export const tagUrl = (config: Config, name: string) => `${config.baseUrl}/tags/${encodeURIComponent(name)}`
/** Where people get a stored file: from this server, or from the store when it has a public address of its own. */
export const mediaUrl = ({ baseUrl, s3 }: Config, key: string) =>
  s3?.aliasUrl ? `${s3.aliasUrl}/${encodePath(s3.keyPrefix)}${key}` : `${baseUrl}/media/${key}`
const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/')
export const collectionUrl = (config: Config, id: Id) => `${config.baseUrl}/collections/${id}`
export const collectionUri = (config: Config, accountId: Id, id: Id) =>
  `${config.baseUrl}/ap/users/${accountId}/collections/${id}`
