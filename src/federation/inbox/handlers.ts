// Which activity is dealt with by whom (docs/developers/federation.md). Others are ignored.
import type { StoredActor } from '#domain/identity/accounts/remote/remote-actors.ts'
import { onAccept } from './activities/accept.ts'
import { onAdd } from './activities/add.ts'
import { onAnnounce } from './activities/announce.ts'
import { onBlock } from './activities/block.ts'
import { onCreate } from './activities/create.ts'
import { onDelete } from './activities/delete.ts'
import { onEmojiReact } from './activities/emoji-react.ts'
import { onFlag } from './activities/flag.ts'
import { onFollow } from './activities/follow.ts'
import type { Handler } from './kit/handler.ts'
import { onLike } from './activities/like.ts'
import { onMove } from './activities/move.ts'
import { onQuoteRequest } from './activities/quote-request.ts'
import { onReject } from './activities/reject.ts'
import { onRemove } from './activities/remove.ts'
import { onUndo } from './activities/undo.ts'
import { onUpdate } from './activities/update.ts'

const handlers: ReadonlyMap<string, Handler> = new Map([
  ['Accept', onAccept],
  ['Add', onAdd],
  ['Announce', onAnnounce],
  ['Block', onBlock],
  ['Create', onCreate],
  ['Delete', onDelete],
  ['EmojiReact', onEmojiReact],
  ['Flag', onFlag],
  ['Follow', onFollow],
  ['Like', onLike],
  ['Move', onMove],
  ['QuoteRequest', onQuoteRequest],
  ['Reject', onReject],
  ['Remove', onRemove],
  ['Undo', onUndo],
  ['Update', onUpdate],
])

/** What may still come from an account that its own server has suspended. */
const fromSuspended = ['Delete', 'Reject', 'Undo', 'Update']
/** Of which somebody else may tell: what they did can be seen at the server of whoever did it. */
const hints = ['Create', 'Delete', 'Update']

export const findHandler = (type: string) => handlers.get(type)
export const isHandled = (type: string) => handlers.has(type)
export const isHint = (type: string) => hints.includes(type)

export function mayComeFrom({ suspended }: StoredActor, type: string): boolean {
  return !suspended || fromSuspended.includes(type)
}
