import type { RemotePoll } from '#domain/content/polls/remote-poll.ts'
import { isObject, maxCount, toCount, toList, toTime, typeOf, type JsonObject } from '#federation/kit/json.ts'
import { readPlain } from './text.ts'

const maxOptions = 500
const maxCharacters = 500

/**
 * The poll of a Question (https://www.w3.org/TR/activitystreams-vocabulary/#dfn-question); null for anything else.
 * `now` in milliseconds: the end of one that only says that it is closed.
 */
export function readPoll(document: JsonObject, now: number): RemotePoll | null {
  if (typeOf(document) !== 'Question') return null
  const multiple = document['anyOf'] !== undefined && document['anyOf'] !== null
  const choices = toList(multiple ? document['anyOf'] : document['oneOf'])
  const options = choices.slice(0, maxOptions).flatMap(readOption)
  if (options.length === 0) return null
  const tallies = options.map((option) => option.votes)
  return {
    options: options.map((option) => option.name),
    tallies,
    multiple,
    votesCount: Math.min(
      tallies.reduce((sum, votes) => sum + votes, 0),
      maxCount,
    ),
    votersCount: toCount(document['votersCount']) ?? toCount(document['toot:votersCount']),
    expiresAt: readEnd(document, now),
  }
}

function readOption(option: unknown): { name: string; votes: number }[] {
  if (!isObject(option)) return []
  const name = readPlain(option['name'] ?? option['content'], maxCharacters)
  if (name === '') return []
  const replies = option['replies']
  const votes =
    (isObject(replies) ? toCount(replies['totalItems']) : null) ?? toCount(option['_misskey_votes']) ?? 0
  return [{ name, votes }]
}

function readEnd(document: JsonObject, now: number): Date | null {
  const { closed } = document
  const time = toTime(closed)
  if (time !== null) return time
  const end = toTime(document['endTime'])
  if (closed === true || closed === 'true') return end !== null && end.getTime() <= now ? end : new Date(now)
  return end
}
