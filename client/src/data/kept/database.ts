// What the browser keeps for when there is no network. Nothing of it opens the account: there is no token in it.
import { createOpener, whenKept } from './indexed-db.ts'

const stores = ['answers', 'about'] as const
type Store = (typeof stores)[number]

const open = createOpener('stonechat', (database) => {
  for (const store of stores) database.createObjectStore(store)
})

async function run<T>(store: Store, mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const transaction = (await open()).transaction(store, mode)
  const request = ask(transaction.objectStore(store))
  await whenKept(transaction)
  return request.result
}

export const readKept = <T>(store: Store, key: string): Promise<T | undefined> =>
  run(store, 'readonly', (kept) => kept.get(key) as IDBRequest<T | undefined>)

export const listKept = <T>(store: Store): Promise<T[]> =>
  run(store, 'readonly', (kept) => kept.getAll() as IDBRequest<T[]>)

export async function keep(store: Store, key: string, value: unknown): Promise<void> {
  await run(store, 'readwrite', (kept) => kept.put(value, key))
}

export async function drop(store: Store, key: string): Promise<void> {
  await run(store, 'readwrite', (kept) => kept.delete(key))
}

/** Forgets everything, as when somebody signs out. */
export async function dropAll(): Promise<void> {
  for (const store of stores) await run(store, 'readwrite', (kept) => kept.clear())
}
