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
export const mediaUrl = (config: Config, key: string) => `${config.baseUrl}/media/${key}`
