// What is being written and not published: drafts of the server, as all one's devices have them.
import { useEffect } from 'preact/hooks'
import type { Draft } from '#entities/personal/draft.ts'
import { remove, withQuery } from '../../api/client.ts'
import { listen } from '../../api/streaming.ts'
import { t } from '../../core/texts.ts'
import { act } from '../../data/act.ts'
import { compose } from '../../data/compose.ts'
import { change, invalidate, useQuery } from '../../data/query.ts'
import { Button } from '../../parts/controls/button.tsx'
import { Icon } from '../../parts/controls/icon.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import { Problem } from '../../parts/page/problem.tsx'
import { Age } from '../../parts/text/time.tsx'
import { WritingItem, WritingList } from './writing-list.tsx'

export const draftsPath = withQuery('/api/v1/drafts', { limit: 40 })

export function Drafts() {
  const { data, error } = useQuery<Draft[]>(draftsPath)
  useEffect(
    () =>
      listen(
        { stream: 'user' },
        {
          event(name, payload) {
            if (name === 'draft')
              change<Draft[]>(draftsPath, (drafts = []) => withDraft(drafts, payload as Draft))
            if (name === 'draft.delete')
              change<Draft[]>(draftsPath, (drafts = []) => drafts.filter(({ id }) => id !== String(payload)))
          },
          resync: (isFirst) => {
            if (!isFirst) invalidate(draftsPath)
          },
        },
      ),
    [],
  )
  return (
    <>
      <PageHeading title={t.compose.drafts}>
        <a href="/scheduled">{t.compose.scheduledPosts}</a>
      </PageHeading>
      {error !== null && !data && <Problem text={error} onRetry={() => invalidate(draftsPath)} />}
      {data && (
        <WritingList label={t.compose.drafts} empty={t.compose.noDrafts}>
          {data.map((draft) => (
            <DraftItem key={draft.id} draft={draft} />
          ))}
        </WritingList>
      )}
    </>
  )
}

/** Those begun last first, as the server has them. */
const withDraft = (drafts: readonly Draft[], draft: Draft): Draft[] =>
  drafts.some(({ id }) => id === draft.id)
    ? drafts.map((one) => (one.id === draft.id ? draft : one))
    : [draft, ...drafts]

function discard(draft: Draft): Promise<boolean> {
  return act({
    show: () => change<Draft[]>(draftsPath, (drafts = []) => drafts.filter(({ id }) => id !== draft.id)),
    ask: () => remove(withQuery(`/api/v1/drafts/${draft.id}`, { version: draft.version })),
  })
}

function DraftItem({ draft }: { draft: Draft }) {
  const { posts, in_reply_to_id: replyToId } = draft
  const [first] = posts
  const text = first?.status.trim() || first?.spoiler_text || ''
  return (
    <WritingItem
      text={text === '' ? t.compose.noText : text}
      media={posts.flatMap((post) => post.media_attachments)}
      about={
        <>
          <Age time={draft.updated_at} />
          {replyToId !== null && (
            <span>
              <Icon name="reply" size={16} /> {t.compose.isReply}
            </span>
          )}
          {posts.length > 1 && <span>{t.compose.threadOf({ count: posts.length })}</span>}
        </>
      }
    >
      <Button onClick={() => compose({ kind: 'draft', draft })}>{t.compose.edit}</Button>
      <Button look="alarm" onClick={() => void discard(draft)}>
        {t.compose.discard}
      </Button>
    </WritingItem>
  )
}
