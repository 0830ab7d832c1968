// Notifications of people whom the viewer does not let through by themselves: one decision for each person.
import type { NotificationRequest } from '#entities/notification.ts'
import { post } from '../../api/client.ts'
import { plainTextOf } from '../../core/plain-text.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import { act } from '../../data/act.ts'
import { createGone } from '../../data/gone.ts'
import { usePages } from '../../data/pages.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { AccountLink, nameOf } from '../../parts/account/account-name.tsx'
import { Avatar } from '../../parts/account/avatar.tsx'
import { Button } from '../../parts/controls/button.tsx'
import { IconButton } from '../../parts/controls/icon-button.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import listCss from '../../parts/page/list.module.css'
import noteCss from '../../parts/page/note.module.css'
import { PagesEnd } from '../../parts/page/paged.tsx'
import { Problem } from '../../parts/page/problem.tsx'
import type { Params } from '../../router/match.ts'
import { navigate } from '../../router/router.ts'
import { NotificationList } from './list.tsx'
import css from './notifications.module.css'

const path = '/api/v1/notifications/requests'
/** Those about which it is decided. */
const decided = createGone()

function decide({ id, account }: NotificationRequest, decision: 'accept' | 'dismiss'): Promise<boolean> {
  return act({
    show: () => decided.add(id),
    ask: () => post(`${path}/${id}/${decision}`),
    done: () => {
      const name = nameOf(account)
      tell(decision === 'accept' ? t.requests.letThrough({ name }) : t.requests.dismissed({ name }))
      invalidate('/api/v2/notifications/policy')
    },
  })
}

export function NotificationRequests() {
  const pages = usePages<NotificationRequest>(`${path}?limit=40`)
  const shown = pages.items.value.filter(({ id }) => !decided.has(id))
  return (
    <>
      <PageHeading title={t.requests.title}>
        <IconButton icon="back" label={t.requests.back} onClick={() => navigate('/notifications')} />
      </PageHeading>
      <p class={noteCss['about']}>{t.requests.about}</p>
      <ul class={listCss['list']} aria-label={t.requests.title}>
        {shown.map((request) => (
          <Request key={request.id} request={request} />
        ))}
      </ul>
      <PagesEnd pages={pages} isEmpty={shown.length === 0} empty={t.requests.empty} />
    </>
  )
}

function Request({ request }: { request: NotificationRequest }) {
  const { account, last_status: last } = request
  return (
    <li class={`${listCss['row']} ${css['request']}`} data-plays>
      <Avatar account={account} />
      <div class={css['who']}>
        <AccountLink account={account} />
        <a href={`/notifications/requests/${request.id}`}>
          {t.requests.count({ count: Number(request.notifications_count) })}
        </a>
        {last && <p dir="auto">{last.spoiler_text || plainTextOf(last.content)}</p>}
      </div>
      <Decision request={request} />
    </li>
  )
}

function Decision({ request, then }: { request: NotificationRequest; then?: () => void }) {
  const run = (decision: 'accept' | 'dismiss') =>
    void decide(request, decision).then((isDone) => isDone && then?.())
  return (
    <div class={css['buttons']}>
      <Button look="main" onClick={() => run('accept')}>
        {t.requests.accept}
      </Button>
      <Button onClick={() => run('dismiss')}>{t.requests.dismiss}</Button>
    </div>
  )
}

/** All that is kept back of one person. */
export function NotificationRequestView({ params: { id = '' } }: { params: Params }) {
  const { data, error } = useQuery<NotificationRequest>(`${path}/${id}`)
  const back = () => navigate('/notifications/requests')
  return (
    <>
      <PageHeading title={data ? nameOf(data.account) : t.requests.title}>
        <IconButton icon="back" label={t.requests.back} onClick={back} />
      </PageHeading>
      {error !== null && <Problem text={error} />}
      {data && (
        <>
          <Decision request={data} then={back} />
          <NotificationList
            name={t.requests.of({ name: nameOf(data.account) })}
            wanted={{ account_id: data.account.id, include_filtered: true }}
            empty={t.notifications.empty}
          />
        </>
      )}
    </>
  )
}
