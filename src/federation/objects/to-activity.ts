import { actorUri, statusUri } from '#domain/server/instance/urls.ts'
import type { NoteFacts } from '#domain/content/statuses/load-note-data.ts'
import { formatTime } from '#lib/time/time.ts'
import type { Config } from '#ports/ctx.ts'
import { addressed } from './audience.ts'
import { followersUri, noteAudience, toNote, type JsonObject } from './to-note.ts'

/**
 * What an account did with a status: the Create of what it wrote, with the object in it, or the Announce of what it
 * boosted, by its address, or with `original` in it where nobody could fetch that. Without `@context`.
 */
export function toActivity(config: Config, note: NoteFacts, now: number, original?: NoteFacts): JsonObject {
  return {
    id: `${statusUri(config, note.username, note.id)}/activity`,
    type: note.reblogOf ? 'Announce' : 'Create',
    actor: actorUri(config, note.username),
    published: formatTime(note.createdAt),
    ...(note.reblogOf
      ? announced(config, note, original ? toNote(config, original, now) : note.reblogOf.uri)
      : created(config, note, now)),
  }
}

const created = (config: Config, note: NoteFacts, now: number): JsonObject => ({
  ...noteAudience(config, note),
  object: toNote(config, note, now),
})

function announced(config: Config, note: NoteFacts, object: unknown): JsonObject {
  const { to, cc } = addressed(note.visibility, followersUri(config, note.username), [])
  return { to, cc: [...(note.reblogOf ? [note.reblogOf.authorUri] : []), ...cc], object }
}
