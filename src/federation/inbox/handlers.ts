// Which activity is dealt with by whom (docs/federation.md). Others are ignored.
import type { StoredActor } from '#domain/identity/accounts/remote-actors.ts'
import { onAccept } from './accept.ts'
import { onAdd } from './add.ts'
import { onAnnounce } from './announce.ts'
import { onBlock } from './block.ts'
import { onCreate } from './create.ts'
import { onDelete } from './delete.ts'
import { onEmojiReact } from './emoji-react.ts'
import { onFlag } from './flag.ts'
import { onFollow } from './follow.ts'
import type { Handler } from './handler.ts'
import { onLike } from './like.ts'
import { onMove } from './move.ts'
import { onQuoteRequest } from './quote-request.ts'
import { onReject } from './reject.ts'
import { onRemove } from './remove.ts'
import { onUndo } from './undo.ts'
import { onUpdate } from './update.ts'

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
