// Databases of the browser, for what keeps something in one.

/** Returns what opens a database: once, however many want it. `make` makes its stores where there is none yet. */
export function createOpener(name: string, make: (database: IDBDatabase) => void): () => Promise<IDBDatabase> {
  let opened: Promise<IDBDatabase> | null = null
  return () => {
    opened ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name, 1)
      request.addEventListener('upgradeneeded', () => make(request.result))
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(request.error ?? new Error('no database')))
    })
    // It is tried again by whoever wants something of it next.
    opened.catch(() => (opened = null))
    return opened
  }
}

/** Resolves when all of a transaction is kept. */
export const whenKept = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('not kept')))
  })
