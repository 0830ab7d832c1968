// What came for the viewer.
import type { NotificationPolicy } from '#entities/notification.ts'
import { t } from '../../core/texts.ts'
import { account } from '../../data/session.ts'
import { useQuery } from '../../data/query.ts'
import { Icon } from '../../parts/controls/icon.tsx'
import { Tabs } from '../../parts/controls/tabs.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import { address } from '../../router/router.ts'
import { NotificationList } from './list.tsx'
import css from './notifications.module.css'
import { PushRefused, PushSwitch } from './push-switch.tsx'
import { kinds } from './words.ts'

const names = Object.keys(kinds) as (keyof typeof kinds)[]

export function NotificationsView() {
  const asked = address.peek().searchParams.get('kind')
  const kind = names.find((name) => name === asked)
  return (
    <>
      <PageHeading title={t.notifications.title}>
        <PushSwitch />
      </PageHeading>
      <Tabs
        label={t.notifications.kinds}
        tabs={[
          { href: '/notifications', name: t.notifications.all },
          ...names.map((name) => ({ href: `/notifications?kind=${name}`, name: t.notifications[name] })),
        ]}
      />
      <PushRefused />
      <Waiting />
      <NotificationList
        name={t.notifications.title}
        empty={t.notifications.empty}
        marks={kind === undefined}
        {...(kind && { wanted: { types: kinds[kind] } })}
      />
    </>
  )
}

/** Who asks to follow, and whose notifications are kept back. */
function Waiting() {
  const policy = useQuery<NotificationPolicy>('/api/v2/notifications/policy').data
  const kept = policy?.summary.pending_requests_count ?? 0
  const asking = account.value.data?.source.follow_requests_count ?? 0
  return (
    <>
      {asking > 0 && (
        <a class={css['waiting']} href="/follow_requests">
          <Icon name="person" /> {t.notifications.asking({ count: asking })}
        </a>
      )}
      {kept > 0 && (
        <a class={css['waiting']} href="/notifications/requests">
          <Icon name="mail" /> {t.notifications.kept({ count: kept })}
        </a>
      )}
    </>
  )
}
