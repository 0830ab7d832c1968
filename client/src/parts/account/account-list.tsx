// People one below the other, a page at a time.
import type { ComponentChildren } from 'preact'
import type { Account } from '#entities/account.ts'
import { t } from '../../core/texts.ts'
import { usePages } from '../../data/pages.ts'
import listCss from '../page/list.module.css'
import { PagesEnd } from '../page/paged.tsx'
import { RichText } from '../text/rich-text.tsx'
import css from './account-list.module.css'
import { AccountLink } from './account-name.tsx'
import { Avatar } from './avatar.tsx'
import { FollowButton } from './follow-button.tsx'

export interface AccountListProps {
  /** Its name for screen readers. */
  name: string
  /** A list of accounts of the API, with its parameters. */
  path: string
  /** What stands there when there is none. */
  empty?: string
  /** Buttons of each; *Follow* unless given. */
  actions?: (account: Account) => ComponentChildren
  /** Which of them are shown; all unless given. */
  isShown?: (account: Account) => boolean
}

const everybody = () => true

export function AccountList({
  name,
  path,
  empty = t.people.nobody,
  actions,
  isShown = everybody,
}: AccountListProps) {
  const pages = usePages<Account>(path)
  const { items, loading } = pages
  const accounts = items.value.filter(isShown)
  return (
    <>
      {items.value.length > 0 && (
        <ul class={listCss['list']} aria-label={name} aria-busy={loading.value}>
          {accounts.map((account) => (
            <AccountItem key={account.id} account={account}>
              {actions ? actions(account) : <FollowButton account={account} />}
            </AccountItem>
          ))}
        </ul>
      )}
      <PagesEnd pages={pages} isEmpty={accounts.length === 0} empty={empty} />
    </>
  )
}

/** People who came all at once. */
export const Accounts = ({ name, accounts }: { name: string; accounts: readonly Account[] }) => (
  <ul class={css['list']} aria-label={name}>
    {accounts.map((account) => (
      <AccountItem key={account.id} account={account}>
        <FollowButton account={account} />
      </AccountItem>
    ))}
  </ul>
)

/** One of a list: who, a line of what they say of themselves, and buttons. */
export function AccountItem({ account, children }: { account: Account; children?: ComponentChildren }) {
  return (
    <li class={`${listCss['row']} ${listCss['columns']} ${css['item']}`} data-plays>
      <a href={`/@${account.acct}`} tabIndex={-1} aria-hidden="true">
        <Avatar account={account} />
      </a>
      <div class={css['who']}>
        <AccountLink account={account} />
        {account.note !== '' && (
          <div class={css['note']}>
            <RichText html={account.note} emojis={account.emojis} />
          </div>
        )}
      </div>
      <div class={css['actions']}>{children}</div>
    </li>
  )
}
