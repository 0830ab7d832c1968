// The post that a post quotes, or a line that says why it is not there.
import { useState } from 'preact/hooks'
import type { Quote, Status } from '#entities/status.ts'
import { t } from '../../core/texts.ts'
import { statusOf, useDeleted } from '../../data/statuses.ts'
import { AccountLink } from '../account/account-name.tsx'
import { Avatar } from '../account/avatar.tsx'
import { Button } from '../controls/button.tsx'
import { Age } from '../text/time.tsx'
import { PostContent } from './post-content.tsx'
import css from './post-quote.module.css'

export function PostQuote({ quote }: { quote: Quote }) {
  const [isShown, setShown] = useState(false)
  const isDeleted = useDeleted(quote.quoted_status?.id ?? '')
  const status = isDeleted ? null : (quote.quoted_status ?? null)
  const state = isDeleted ? 'deleted' : quote.state
  if (status && (state === 'accepted' || isShown)) return <Quoted status={status} />
  return (
    <div class={css['lost']}>
      <p>{t.quote[state === 'accepted' ? 'unauthorized' : state]}</p>
      {status && (
        <Button look="plain" onClick={() => setShown(true)}>
          {t.post.showAnyway}
        </Button>
      )}
    </div>
  )
}

function Quoted({ status }: { status: Status }) {
  const shown = statusOf(status.id)?.value ?? status
  const { account } = shown
  return (
    <blockquote class={css['quote']} cite={shown.url ?? shown.uri}>
      <header data-plays>
        <Avatar account={account} size={24} />
        <AccountLink account={account} />
        <a href={`/@${account.acct}/${shown.id}`}>
          <Age time={shown.created_at} />
        </a>
      </header>
      <PostContent status={shown} quoted />
    </blockquote>
  )
}
