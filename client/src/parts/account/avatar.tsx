import type { Account } from '#entities/account.ts'
import { pictureOf } from '../../core/play.ts'
import { useMissing } from '../controls/missing.ts'
import { movesByItself } from '../../data/session.ts'
import css from './avatar.module.css'

type Shown = Pick<Account, 'avatar' | 'avatar_static'>

/** The picture of an account; decoration, since the name stands beside it. */
export function Avatar({ account, size = 44 }: { account: Shown; size?: number }) {
  const picture = pictureOf(account.avatar, account.avatar_static, movesByItself())
  const { isMissing, onError } = useMissing(picture.src)
  return (
    <img
      class={css['avatar']}
      {...(isMissing ? { src: '/avatars/original/missing.png' } : picture)}
      onError={onError}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
    />
  )
}
