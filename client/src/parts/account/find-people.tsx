// A field in which people are looked for by name or address, and below it who was found.
import { useState } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import type { Account } from '#entities/account.ts'
import { withQuery } from '../../api/client.ts'
import { t } from '../../core/texts.ts'
import { useQuery } from '../../data/query.ts'
import { Field } from '../controls/field.tsx'
import listCss from '../page/list.module.css'
import { AccountItem } from './account-list.tsx'
import css from './find-people.module.css'

export interface FindPeopleProps {
  label: string
  /** Whether only people are found whom one follows. */
  followed?: boolean
  /** Buttons of each. */
  actions: (account: Account) => ComponentChildren
  /** What stands there while nobody is looked for. */
  children?: ComponentChildren
}

export function FindPeople({ label, followed = false, actions, children }: FindPeopleProps) {
  const [typed, setTyped] = useState('')
  const wanted = typed.trim()
  const query = { q: wanted, limit: 8, ...(followed && { following: true }) }
  const path = wanted === '' ? null : withQuery('/api/v1/accounts/search', query)
  const { data: found, error } = useQuery<Account[]>(path)
  return (
    <>
      <Field
        label={label}
        type="search"
        dir="auto"
        autoCapitalize="none"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      {error !== null && <p role="alert">{error}</p>}
      {found && <PeopleInDialog name={t.search.accounts} accounts={found} actions={actions} />}
      {found?.length === 0 && <p>{t.search.nothing}</p>}
      {path === null && children}
    </>
  )
}

interface PeopleInDialogProps {
  name: string
  accounts: readonly Account[]
  actions: (account: Account) => ComponentChildren
}

/** They reach to the edges of the dialog. Nothing where there is nobody. */
export const PeopleInDialog = ({ name, accounts, actions }: PeopleInDialogProps) =>
  accounts.length > 0 && (
    <ul class={`${listCss['list']} ${css['found']}`} aria-label={name}>
      {accounts.map((account) => (
        <AccountItem key={account.id} account={account}>
          {actions(account)}
        </AccountItem>
      ))}
    </ul>
  )
