// What the browser keeps for when there is no network. Nothing of it opens the account: there is no token in it.

const name = 'stonechat'
const stores = ['answers', 'about'] as const
type Store = (typeof stores)[number]

let opened: Promise<IDBDatabase> | null = null

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.addEventListener('upgradeneeded', () => {
      for (const store of stores) request.result.createObjectStore(store)
    })
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('no database')))
  })
  // It is tried again by whoever wants something of it next.
  opened.catch(() => (opened = null))
  return opened
}

async function run<T>(store: Store, mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const transaction = (await open()).transaction(store, mode)
  const request = ask(transaction.objectStore(store))
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve(request.result))
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('not kept')))
  })
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
