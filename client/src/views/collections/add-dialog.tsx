// Finding people for a collection.
import { useState } from 'preact/hooks'
import type { Account } from '#entities/account.ts'
import type { Collection } from '#entities/collection.ts'
import { withQuery } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import { addToCollection } from '../../data/collections.ts'
import { useQuery } from '../../data/query.ts'
import { nameOf } from '../../parts/account/account-name.tsx'
import { AccountItem } from '../../parts/account/account-list.tsx'
import { Button } from '../../parts/controls/button.tsx'
import { Dialog } from '../../parts/controls/dialog.tsx'
import { Field } from '../../parts/controls/field.tsx'
import listCss from '../../parts/page/list.module.css'
import css from './collections.module.css'

interface AddDialogProps {
  collection: Collection
  onClose: () => void
}

export function AddDialog({ collection, onClose }: AddDialogProps) {
  const [typed, setTyped] = useState('')
  const wanted = typed.trim()
  const path = wanted === '' ? null : withQuery('/api/v1/accounts/search', { q: wanted, limit: 8 })
  const { data: found, error } = useQuery<Account[]>(path)
  const isIn = ({ id }: Account) => collection.items.some(({ account_id: one }) => one === id)
  const add = async (account: Account) => {
    try {
      await addToCollection(collection, account)
      tell(t.collections.added({ name: nameOf(account) }))
    } catch (problem) {
      tell(wordsOf(problem), 'problem')
    }
  }
  return (
    <Dialog title={t.collections.add} size="wide" onClose={onClose}>
      <Field
        label={t.collections.find}
        type="search"
        dir="auto"
        autoCapitalize="none"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      {error !== null && <p role="alert">{error}</p>}
      {found && found.length > 0 && (
        <ul class={`${listCss['list']} ${css['found']}`} aria-label={t.search.accounts}>
          {found.map((account) => (
            <AccountItem key={account.id} account={account}>
              <Button disabled={isIn(account)} onClick={() => void add(account)}>
                {isIn(account) ? t.collections.isIn : t.filters.add}
              </Button>
            </AccountItem>
          ))}
        </ul>
      )}
      {found?.length === 0 && <p>{t.search.nothing}</p>}
    </Dialog>
  )
}
