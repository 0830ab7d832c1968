// A person by their address: as this server knows them, or as theirs says when it is asked.
import { batch, signal, type Signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { Account } from '#entities/account.ts'
import type { Search } from '#entities/search.ts'
import { get, withQuery } from '../api/client.ts'
import { ApiError, wordsOf } from '../api/errors.ts'

export interface FoundAccount {
  readonly account: Signal<Account | null>
  readonly error: Signal<string | null>
  retry(): void
}

/** Looks for `alice` or `alice@elsewhere.example`, for as long as the component is shown. */
export function useAccount(acct: string): FoundAccount {
  const { found, look } = useMemo(() => createLook(acct), [acct])
  useEffect(() => {
    shown.add(look)
    void look()
    return () => void shown.delete(look)
  }, [look])
  return found
}

function createLook(acct: string) {
  const [account, error] = [signal<Account | null>(null), signal<string | null>(null)]
  const look = async (): Promise<void> => {
    try {
      const now = await findAccount(acct)
      if (!shown.has(look)) return
      batch(() => {
        account.value = now
        error.value = null
      })
    } catch (cause) {
      if (shown.has(look)) error.value = wordsOf(cause)
    }
  }
  return { look, found: { account, error, retry: () => void look() } }
}

/** How to look again for each of those who are shown. */
const shown = new Set<() => Promise<void>>()

/** Looks again for those who are shown: the server may know more of them, or count otherwise. */
export const lookAgainAtAccounts = (): void => shown.forEach((look) => void look())

async function findAccount(acct: string): Promise<Account> {
  try {
    return (await get<Account>(`/api/v1/accounts/lookup?acct=${encodeURIComponent(acct)}`)).body
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.trouble === 'not-found' && acct.includes('@')
    if (!isUnknown) throw error
    const query = { q: `@${acct}`, type: 'accounts', resolve: true, limit: 1 }
    const [account] = (await get<Search>(withQuery('/api/v2/search', query))).body.accounts
    if (!account) throw error
    return account
  }
}
