// Posts that wait for the network: each goes out once, under the key that it was written with.
import { effect, signal } from '@preact/signals'
import type { Status } from '#entities/status.ts'
import { isOnline, post } from '../api/client.ts'
import { ApiError, wordsOf } from '../api/errors.ts'
import { isSignedIn } from '../core/start.ts'
import { tell } from '../core/tell.ts'
import { t } from '../core/texts.ts'
import { drop, keep, listKept } from './database.ts'

export interface Waiting {
  /** The Idempotency-Key: what is sent again is not posted again. */
  key: string
  /** The parameters of the post, as the API takes them. */
  body: Readonly<Record<string, unknown>>
  /** When it was written, in milliseconds. */
  at: number
}

/** What waits, oldest first. */
export const outbox = signal<readonly Waiting[]>([])

/**
 * Publishes a post; without a network it waits, and `null` is returned. Throws ApiError when the server refuses. The same
 * key for the same post: see `Waiting`.
 */
export async function publish(body: Waiting['body'], key: string): Promise<Status | null> {
  try {
    return await post<Status>('/api/v1/statuses', { body, idempotencyKey: key })
  } catch (error) {
    if (!(error instanceof ApiError) || error.trouble !== 'offline') throw error
    const waiting: Waiting = { key, body, at: Date.now() }
    await keep('outbox', key, waiting)
    outbox.value = [...outbox.peek().filter((one) => one.key !== key), waiting]
    return null
  }
}

let isSending = false

async function sendAll(): Promise<void> {
  if (isSending || !isSignedIn()) return
  isSending = true
  // Several windows have the same list: one of them sends it.
  await navigator.locks.request('outbox', async () => {
    const waiting = (await listKept<Waiting>('outbox').catch(() => [])).toSorted((a, b) => a.at - b.at)
    outbox.value = waiting
    for (const one of waiting) if (!(await sendOne(one))) break
  })
  isSending = false
}

/** Whether to go on with the next one. */
async function sendOne({ key, body }: Waiting): Promise<boolean> {
  try {
    await post<Status>('/api/v1/statuses', { body, idempotencyKey: key })
    tell(t.compose.sentLater)
  } catch (error) {
    const isLater = error instanceof ApiError && (error.trouble === 'offline' || error.trouble === 'rate-limited')
    if (isLater) return false
    tell(wordsOf(error), 'problem')
  }
  await drop('outbox', key)
  outbox.value = outbox.peek().filter((one) => one.key !== key)
  return true
}

/** Sends what waits, now and whenever the network is back. */
export function startOutbox(): void {
  effect(() => {
    if (isOnline.value) void sendAll()
  })
}
