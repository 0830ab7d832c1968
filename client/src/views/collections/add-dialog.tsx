// Finding people for a collection.
import type { Account } from '#entities/account.ts'
import type { Collection } from '#entities/collection.ts'
import { wordsOf } from '../../api/errors.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import { addToCollection } from '../../data/collections.ts'
import { nameOf } from '../../parts/account/account-name.tsx'
import { FindPeople } from '../../parts/account/find-people.tsx'
import { Button } from '../../parts/controls/button.tsx'
import { Dialog } from '../../parts/controls/dialog.tsx'

interface AddDialogProps {
  collection: Collection
  onClose: () => void
}

export function AddDialog({ collection, onClose }: AddDialogProps) {
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
      <FindPeople
        label={t.collections.find}
        actions={(account) => (
          <Button disabled={isIn(account)} onClick={() => void add(account)}>
            {isIn(account) ? t.collections.isIn : t.filters.add}
          </Button>
        )}
      />
    </Dialog>
  )
}
