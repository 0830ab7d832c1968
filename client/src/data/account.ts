// A person by their address: as this server knows them, or as theirs says when it is asked.
import { signal, type Signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { Account } from '#entities/account.ts'
import type { Search } from '#entities/search.ts'
import { get, withQuery } from '../api/client.ts'
import { ApiError, wordsOf } from '../api/errors.ts'

export interface FoundAccount {
  readonly account: Signal<Account | null>
  readonly error: Signal<string | null>
}

/** Looks for `alice` or `alice@elsewhere.example`, for as long as the component is shown. */
export function useAccount(acct: string): FoundAccount {
  const found = useMemo(() => ({ account: signal<Account | null>(null), error: signal<string | null>(null) }), [acct])
  useEffect(() => {
    let isShown = true
    findAccount(acct)
      .then((account) => {
        if (isShown) found.account.value = account
      })
      .catch((error: unknown) => {
        if (isShown) found.error.value = wordsOf(error)
      })
    return () => {
      isShown = false
    }
  }, [found])
  return found
}

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
