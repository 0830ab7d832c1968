// Posts that go out later: at another time, at once, or not at all.
import { useState } from 'preact/hooks'
import type { ScheduledStatus } from '#entities/personal/scheduled-status.ts'
import { del, put, withQuery } from '../../api/client.ts'
import { formatDateTime } from '../../core/format.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import { act } from '../../data/act.ts'
import { change, invalidate, useQuery } from '../../data/query.ts'
import { Button } from '../../parts/controls/button.tsx'
import { Dialog } from '../../parts/controls/dialog.tsx'
import { Icon } from '../../parts/controls/icon.tsx'
import { ScheduleChoice } from '../../parts/composer/choices/schedule-choice.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import { Problem } from '../../parts/page/problem.tsx'
import { WritingItem, WritingList } from './writing-list.tsx'

const path = withQuery('/api/v1/scheduled_statuses', { limit: 40 })

export function Scheduled() {
  const { data, error } = useQuery<ScheduledStatus[]>(path)
  return (
    <>
      <PageHeading title={t.compose.scheduledPosts}>
        <a href="/drafts">{t.compose.drafts}</a>
      </PageHeading>
      {error !== null && !data && <Problem text={error} onRetry={() => invalidate(path)} />}
      {data && (
        <WritingList label={t.compose.scheduledPosts} empty={t.compose.noScheduled}>
          {data.map((scheduled) => (
            <Item key={scheduled.id} scheduled={scheduled} />
          ))}
        </WritingList>
      )}
    </>
  )
}

type List = ScheduledStatus[]

const reschedule = (scheduled: ScheduledStatus, at: string): Promise<boolean> =>
  act({
    show: () =>
      change<List>(path, (list = []) =>
        list.map((one) => (one.id === scheduled.id ? { ...one, scheduled_at: at } : one)),
      ),
    ask: () =>
      put<ScheduledStatus>(`/api/v1/scheduled_statuses/${scheduled.id}`, { body: { scheduled_at: at } }),
    done: () => void tell(t.compose.scheduledFor({ time: formatDateTime(at) })),
  })

const cancel = (scheduled: ScheduledStatus): Promise<boolean> =>
  act({
    show: () => change<List>(path, (list = []) => list.filter(({ id }) => id !== scheduled.id)),
    ask: () => del(`/api/v1/scheduled_statuses/${scheduled.id}`),
    done: () => void tell(t.compose.scheduleCancelled),
  })

function Item({ scheduled }: { scheduled: ScheduledStatus }) {
  const [isOpen, setOpen] = useState(false)
  const { params, media_attachments: media, scheduled_at: at, error } = scheduled
  const text = params.text || params.spoiler_text || ''
  return (
    <WritingItem
      text={text === '' ? t.compose.noText : text}
      media={media}
      about={
        <span>
          <Icon name="calendar" size={16} /> <time dateTime={at}>{formatDateTime(at)}</time>
        </span>
      }
      {...(error && { problem: error })}
    >
      <Button onClick={() => setOpen(true)}>{t.compose.reschedule}</Button>
      <Button look="alarm" onClick={() => void cancel(scheduled)}>
        {t.compose.cancelScheduled}
      </Button>
      {isOpen && (
        <Dialog title={t.compose.reschedule} onClose={() => setOpen(false)}>
          <ScheduleChoice
            at={at}
            onChoose={(next) => {
              setOpen(false)
              if (next !== null) void reschedule(scheduled, next)
            }}
          />
        </Dialog>
      )}
    </WritingItem>
  )
}
