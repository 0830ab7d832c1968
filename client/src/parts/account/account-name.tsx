import type { Account } from '#entities/account.ts'
import { PlainText } from '../text/rich-text.tsx'
import css from './account-name.module.css'

type Named = Pick<Account, 'display_name' | 'username' | 'acct' | 'emojis'>

/** What an account is called, in plain text. */
export const nameOf = (account: Pick<Account, 'display_name' | 'username'>): string =>
  account.display_name.trim() || account.username

/** The name as its owner writes it, kept apart from the text around it whatever its direction. */
export function DisplayName({ account }: { account: Named }) {
  return (
    <bdi class={css['name']} data-plays>
      <PlainText text={nameOf(account)} emojis={account.emojis} />
    </bdi>
  )
}

/** Name and address, as a link to the profile. */
export function AccountLink({ account }: { account: Named }) {
  return (
    <a class={css['link']} href={`/@${account.acct}`}>
      <DisplayName account={account} /> <bdi class={css['acct']}>@{account.acct}</bdi>
    </a>
  )
}
