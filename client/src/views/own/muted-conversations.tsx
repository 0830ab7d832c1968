// Conversations of which one does not want to be told: of each its first post, and a way to hear of it again.
import type { Status } from '#entities/status.ts'
import { t } from '../../core/texts.ts'
import { usePages } from '../../data/pages.ts'
import { toggleMark } from '../../data/status-actions.ts'
import { isDeleted, keepStatuses, statusOf } from '../../data/statuses.ts'
import { Button } from '../../parts/controls/button.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import { PagesEnd } from '../../parts/page/paged.tsx'
import { PostOf } from '../../parts/post/post.tsx'
import css from './own.module.css'
import { MuteTabs } from './people.tsx'

export function MutedConversations() {
  const pages = usePages<Status>('/api/v1/muted_conversations?limit=20', keepStatuses)
  const ids = pages.items.value.map(({ id }) => id).filter((id) => !isDeleted(id))
  return (
    <>
      <PageHeading title={t.own.mutedConversations} />
      <MuteTabs />
      {ids.length > 0 && (
        <ul class={css['conversations']} aria-label={t.own.mutedConversations}>
          {ids.map((id) => (
            <li key={id}>
              <PostOf id={id} />
              <Button onClick={() => void toggleMark(id, 'muted')}>
                {statusOf(id)?.value.muted ? t.post.unmuteConversation : t.post.muteConversation}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <PagesEnd pages={pages} isEmpty={ids.length === 0} empty={t.own.noMutedConversations} />
    </>
  )
}
