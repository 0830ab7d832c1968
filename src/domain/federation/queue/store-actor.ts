import type { Ctx } from '#ports/ctx.ts'
import { deleteImages } from '#domain/identity/accounts/profile/profile-images.ts'
import { loadRemoteActors, type StoredActor } from '#domain/identity/accounts/remote/remote-actors.ts'
import {
  saveRemoteAccount,
  type RemoteAccountInput,
  type SavedRemoteAccount,
} from '#domain/identity/accounts/remote/save-remote.ts'
import { saveRemoteEmojis, type RemoteEmoji } from '#domain/server/instance/emojis/remote-emojis.ts'
import { saveRemoteKeys, type PublishedKey } from './keys.ts'

export interface ActorInput {
  account: RemoteAccountInput
  keys: readonly PublishedKey[]
  /** Ids of keys that it names without showing them. */
  keyIds: readonly string[]
  emojis: readonly RemoteEmoji[]
}

const attempts = 3

/**
 * Stores an actor of another server with its keys and emoji. Emits `remote-account.saved`. Null when it was deleted here
 * for good, or is neither known nor has a confirmed handle. `isSetUpAnew`: it has none of its keys any more.
 */
export async function storeActor(
  ctx: Ctx,
  input: ActorInput,
): Promise<{ actor: StoredActor; isSetUpAnew: boolean } | null> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const saved = await tryToStore(ctx, input)
    if (saved === 'deleted') return null
    if (saved === 'retry') continue
    await deleteImages(ctx, saved.replaced)
    const actor = (await loadRemoteActors(ctx, [saved.id])).get(saved.id)
    return actor ? { actor, isSetUpAnew: saved.isSetUpAnew } : null
  }
  return null
}

type Stored = SavedRemoteAccount & { isSetUpAnew: boolean }

/** Nothing has happened when another transaction was faster. */
async function tryToStore(ctx: Ctx, input: ActorInput): Promise<Stored | 'deleted' | 'retry'> {
  try {
    return await ctx.transaction(async (tx) => {
      const account = await saveRemoteAccount(tx, input.account)
      if (account === 'deleted') return account
      if (account === 'retry') throw overtaken
      const isSetUpAnew = await saveRemoteKeys(tx, { id: account.id, uri: input.account.uri }, input)
      await saveRemoteEmojis(tx, account.domain, input.emojis)
      const { id: accountId, first, picturesChanged } = account
      await tx.emit({ type: 'remote-account.saved', accountId, first, picturesChanged })
      return { ...account, isSetUpAnew }
    })
  } catch (error) {
    if (error === overtaken || isHandleTaken(error)) return 'retry'
    throw error
  }
}

const overtaken = new Error('another transaction has just stored the account')

function isHandleTaken(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23505' && constraint === 'accounts_acct'
}
