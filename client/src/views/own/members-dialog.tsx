import { useState } from 'preact/hooks'
import type { Account } from '#entities/account.ts'
import type { List } from '#entities/list.ts'
import { del, post } from '../../api/client.ts'
import { t } from '../../core/texts.ts'
import { act } from '../../data/act.ts'
import { change, useQuery } from '../../data/query.ts'
import { FindPeople, PeopleInDialog } from '../../parts/account/find-people.tsx'
import { Button } from '../../parts/controls/button.tsx'
import { Dialog } from '../../parts/controls/dialog.tsx'
import { Problem } from '../../parts/page/problem.tsx'

interface MembersDialogProps {
  list: Pick<List, 'id'>
  onClose: () => void
}

/** Who is on a list: people whom one follows are found and added, and removed again. */
export function MembersDialog({ list, onClose }: MembersDialogProps) {
  const path = `/api/v1/lists/${list.id}/accounts`
  const whole = `${path}?limit=0`
  const { data: members, error } = useQuery<Account[]>(whole)
  const ids = new Set(members?.map(({ id }) => id))
  // Who is removed keeps their place while this is open: nothing jumps, and they can be put back.
  const [removed, setRemoved] = useState<readonly Account[]>([])
  const shown = [...(members ?? []), ...removed.filter(({ id }) => !ids.has(id))].toSorted(byName)
  const toggle = (account: Account) => {
    const isIn = ids.has(account.id)
    if (isIn) setRemoved([...removed.filter(({ id }) => id !== account.id), account])
    const request = { body: { account_ids: [account.id] } }
    void act({
      show: () =>
        change<Account[]>(whole, (before = []) =>
          isIn ? before.filter(({ id }) => id !== account.id) : [...before, account],
        ),
      ask: () => (isIn ? del(path, request) : post(path, request)),
    })
  }
  const button = (account: Account) => (
    <Button onClick={() => toggle(account)}>{ids.has(account.id) ? t.profile.remove : t.filters.add}</Button>
  )
  return (
    <Dialog title={t.lists.members} size="wide" onClose={onClose}>
      {error !== null && <Problem text={error} />}
      {members && (
        <FindPeople label={t.lists.find} followed actions={button}>
          <PeopleInDialog name={t.lists.members} accounts={shown} actions={button} />
        </FindPeople>
      )}
    </Dialog>
  )
}

const byName = (one: Account, other: Account) => one.acct.localeCompare(other.acct)
