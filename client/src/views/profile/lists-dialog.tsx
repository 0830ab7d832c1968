import type { List } from '#entities/list.ts'
import { del, post } from '../../api/client.ts'
import { t } from '../../core/texts.ts'
import { act } from '../../data/act.ts'
import { change, useQuery } from '../../data/query.ts'
import { Dialog } from '../../parts/controls/dialog.tsx'
import { Check } from '../../parts/controls/field.tsx'
import { Problem } from '../../parts/page/problem.tsx'
import type { AccountDialogProps } from '../../parts/account/mute-dialog.tsx'

/** On which of one's lists they are. */
export function ListsDialog({ account, onClose }: AccountDialogProps) {
  const path = `/api/v1/accounts/${account.id}/lists`
  const all = useQuery<List[]>('/api/v1/lists')
  const on = useQuery<List[]>(path)
  const error = all.error ?? on.error
  const ids = new Set(on.data?.map(({ id }) => id))
  const toggle = (list: List) =>
    void act({
      show: () =>
        change<List[]>(path, (lists = []) =>
          ids.has(list.id) ? lists.filter(({ id }) => id !== list.id) : [...lists, list],
        ),
      ask: () => {
        const request = { body: { account_ids: [account.id] } }
        const members = `/api/v1/lists/${list.id}/accounts`
        return ids.has(list.id) ? del(members, request) : post(members, request)
      },
    })
  return (
    <Dialog title={t.profile.lists} onClose={onClose}>
      {error !== null && <Problem text={error} />}
      {on.data &&
        all.data?.map((list) => (
          <Check key={list.id} label={list.title} checked={ids.has(list.id)} onChange={() => toggle(list)} />
        ))}
      {all.data?.length === 0 && <p>{t.profile.noLists}</p>}
    </Dialog>
  )
}
