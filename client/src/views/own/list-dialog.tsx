import { useState } from 'preact/hooks'
import type { List } from '#entities/list.ts'
import { post, put, remove } from '../../api/client.ts'
import { confirm } from '../../core/confirm.ts'
import { t } from '../../core/texts.ts'
import { act } from '../../data/act.ts'
import { change, invalidate } from '../../data/query.ts'
import { Button } from '../../parts/controls/button.tsx'
import { Dialog } from '../../parts/controls/dialog.tsx'
import { Check, Field, Select } from '../../parts/controls/field.tsx'
import { Form } from '../../parts/controls/form.tsx'
import { navigate } from '../../router/router.ts'
import { MembersDialog } from './members-dialog.tsx'

const path = '/api/v1/lists'
const policies = ['list', 'followed', 'none'] as const satisfies readonly List['replies_policy'][]

export interface ListDialogProps {
  /** The one that is changed; null for a new one. */
  list: List | null
  onClose: () => void
}

type Written = Omit<List, 'id'>

export function ListDialog({ list, onClose }: ListDialogProps) {
  const [form, setForm] = useState<Written>(list ?? { title: '', replies_policy: 'list', exclusive: false })
  const [isAtMembers, setAtMembers] = useState(false)
  const set = (part: Partial<Written>) => setForm({ ...form, ...part })
  const send = async () => {
    const { title, replies_policy, exclusive } = form
    const request = { body: { title, replies_policy, exclusive } }
    const saved = await (list ? put<List>(`${path}/${list.id}`, request) : post<List>(path, request))
    invalidate(path)
    onClose()
    if (!list) navigate(`/lists/${saved.id}`)
  }
  if (list && isAtMembers) return <MembersDialog list={list} onClose={onClose} />
  return (
    <Dialog title={list ? t.lists.edit : t.lists.make} onClose={onClose}>
      <Form
        action={t.profile.save}
        onCancel={onClose}
        onSend={send}
        more={
          list && (
            <Button look="alarm" onClick={() => askDelete(list, onClose)}>
              {t.lists.delete}
            </Button>
          )
        }
      >
        <Field
          label={t.lists.name}
          dir="auto"
          required
          maxLength={256}
          value={form.title}
          onInput={(event) => set({ title: event.currentTarget.value })}
        />
        <Select
          label={t.lists.replies}
          value={form.replies_policy}
          options={policies.map((policy) => [policy, t.lists.policies[policy]])}
          onChange={(policy) => set({ replies_policy: policy as List['replies_policy'] })}
        />
        <Check
          label={t.lists.exclusive}
          checked={form.exclusive}
          onChange={(event) => set({ exclusive: event.currentTarget.checked })}
        />
        {list && <Button onClick={() => setAtMembers(true)}>{t.lists.members}</Button>}
      </Form>
    </Dialog>
  )
}

function askDelete({ id, title }: List, onClose: () => void): void {
  onClose()
  confirm({
    title: t.lists.deleteQuestion({ title }),
    action: t.lists.delete,
    run: () =>
      void act({
        show: () => change<List[]>(path, (lists = []) => lists.filter((list) => list.id !== id)),
        ask: () => remove(`${path}/${id}`),
        done: () => navigate('/lists'),
      }),
  })
}
