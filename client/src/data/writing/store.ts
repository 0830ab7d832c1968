// What is written and not published yet, in this browser: there before the server has it, and after a crash. It holds
// texts and files, nothing that opens an account.
import { createOpener, whenKept } from '../kept/indexed-db.ts'
import { account } from '../session.ts'
import type { Content } from './content.ts'

export interface Kept {
  /** Of whom, and where it is written: see `placeKey`. */
  readonly key: string
  /** As `new`, `reply:1`, `edit:1`; `out:…` waits to be published, `aside:…` made way for something else. */
  readonly place: string
  readonly account: string
  readonly content: Content
  /** What it began as: nothing is kept of what was not changed. */
  readonly initial: Content
  readonly draft: { readonly id: string; readonly version: number } | null
  /** Of the draft that will be: made once, however often it is asked for (Idempotency-Key). */
  readonly draftKey: string
  /** The server has it as it is. */
  readonly isSaved: boolean
  /** Of what is to be published: since when, by the clock of this machine; and for when, where it is scheduled. */
  readonly sendAt: number | null
  readonly scheduledAt: string | null
  /** Another one each time that it is kept: by it one window knows what others kept meanwhile. */
  readonly mark?: string
}

const databaseName = 'stonechat-writing'
const storeName = 'kept'
/** Whose writings they are when the app is opened without a network. */
const lastAccountName = 'writing:account'

const open = createOpener(databaseName, (database) => {
  database.createObjectStore(storeName, { keyPath: 'key' })
})

async function run<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const transaction = (await open()).transaction(storeName, mode)
  const request = work(transaction.objectStore(storeName))
  await whenKept(transaction)
  return request.result
}

/** Whose writings these are; the last one's where nobody can be asked. */
export function ownerId(): string {
  const id = account.peek().data?.id
  if (id === undefined) return localStorage.getItem(lastAccountName) ?? ''
  localStorage.setItem(lastAccountName, id)
  return id
}

export const placeKey = (place: string): string => `${ownerId()} ${place}`

/** Null as well where the browser keeps nothing, as in private windows of some. */
export async function findKept(place: string): Promise<Kept | null> {
  return (await run<Kept | undefined>('readonly', (store) => store.get(placeKey(place))).catch(() => undefined)) ?? null
}

/** All of whoever is signed in, of places that begin so. */
export async function listKept(prefix = ''): Promise<Kept[]> {
  const start = placeKey(prefix)
  const range = IDBKeyRange.bound(start, `${start}\uFFFF`)
  return await run<Kept[]>('readonly', (store) => store.getAll(range)).catch(() => [])
}

/** Changes what is under a key, unless another window did since: `before` is the mark that it has. Returns what is there then. */
async function changeUnseen(
  key: string,
  before: string | null,
  change: (store: IDBObjectStore) => void,
): Promise<Kept | null> {
  const transaction = (await open()).transaction(storeName, 'readwrite')
  const store = transaction.objectStore(storeName)
  const request: IDBRequest<Kept | undefined> = store.get(key)
  let other: Kept | null = null
  request.addEventListener('success', () => {
    if (request.result && (request.result.mark ?? null) !== before) other = request.result
    else change(store)
  })
  await whenKept(transaction)
  if (!other) channel.postMessage(key)
  return other
}

/** Keeps it in place of what has this mark, or of nothing. Returns what another window keeps there, which stays. */
export const keep = (kept: Kept, before: string | null): Promise<Kept | null> =>
  changeUnseen(kept.key, before, (store) => store.put(kept)).catch(() => null)

/** Forgets what has this mark; what another window keeps there stays. */
export async function forget(place: string, before: string | null): Promise<void> {
  const key = placeKey(place)
  await changeUnseen(key, before, (store) => store.delete(key)).catch(() => null)
}

/** By which windows of a browser tell each other that something else is kept. */
const channel = new BroadcastChannel(databaseName)

/** Hears of each key under which another window has changed what is kept. Returns how to stop. */
export function hearOthers(run: (key: string) => void): () => void {
  const hear = ({ data }: MessageEvent<string>) => run(data)
  channel.addEventListener('message', hear)
  return () => channel.removeEventListener('message', hear)
}
