import type { Account } from '#entities/account.ts'
import { useMissing } from '../controls/missing.ts'
import { movesByItself } from '../../data/session.ts'
import css from './avatar.module.css'

type Shown = Pick<Account, 'avatar' | 'avatar_static'>

/** The picture of an account; decoration, since the name stands beside it. */
export function Avatar({ account, size = 44 }: { account: Shown; size?: number }) {
  const moves = movesByItself()
  const source = moves ? account.avatar : account.avatar_static
  const { isMissing, onError } = useMissing(source)
  return (
    <img
      class={css['avatar']}
      src={isMissing ? '/avatars/original/missing.png' : source}
      onError={onError}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
    />
  )
}
