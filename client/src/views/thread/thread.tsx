// A post in its thread: what it answers, itself, what its author goes on to say, and the answers as a tree.
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Status } from '#entities/status.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import { deletedIds, isDeleted } from '../../data/statuses.ts'
import { createThread } from '../../data/thread.ts'
import { nameOf } from '../../parts/account/account-name.tsx'
import { IconButton } from '../../parts/controls/icon-button.tsx'
import noteCss from '../../parts/page/note.module.css'
import { PageHeading } from '../../parts/page/heading.tsx'
import { Problem } from '../../parts/page/problem.tsx'
import { PostOf } from '../../parts/post/post.tsx'
import type { Params } from '../../router/match.ts'
import { goBack } from '../../router/router.ts'
import { Answers } from './answers.tsx'
import css from './thread.module.css'
import { buildThread } from './tree.ts'

export function ThreadView({ params: { id = '' } }: { params: Params }) {
  const thread = useMemo(() => createThread(id), [id])
  useEffect(() => thread.start((count) => void tell(t.thread.newAnswers({ count }))), [thread])
  const main = thread.main.value
  const isThere = main !== null && !isDeleted(main.id)
  return (
    <>
      <PageHeading
        title={isThere ? t.thread.title({ name: nameOf((main.reblog ?? main).account) }) : t.thread.post}
      >
        <IconButton icon="back" label={t.thread.back} onClick={() => goBack()} />
      </PageHeading>
      {thread.error.value !== null &&
        (thread.isMissing.value ? (
          <p class={noteCss['none']} role="alert">
            {thread.error.value}
          </p>
        ) : (
          <Problem text={thread.error.value} onRetry={thread.retry} />
        ))}
      {main && !thread.isMissing.value && <Whole main={main.reblog ?? main} thread={thread} />}
    </>
  )
}

interface WholeProps {
  main: Status
  thread: ReturnType<typeof createThread>
}

function Whole({ main, thread: { posts } }: WholeProps) {
  const known = posts.value
  const gone = deletedIds.value
  const thread = useMemo(
    () => buildThread(main, known?.descendants.filter(({ id }) => !gone.has(id)) ?? []),
    [main, known, gone],
  )
  const [isWhole, setWhole] = useState(false)
  const ancestors = known?.ancestors.filter((id) => !gone.has(id)) ?? []
  const hidden = isWhole ? 0 : Math.max(0, ancestors.length - ancestorsAtFirst)
  useKeptInPlace(main.id, ancestors.length)
  return (
    <section aria-label={t.thread.thread} aria-busy={known === null} class={css['thread']}>
      {hidden > 0 && (
        <div class={css['more']}>
          <button type="button" onClick={() => setWhole(true)}>
            {t.thread.earlier({ count: hidden })}
          </button>
        </div>
      )}
      {ancestors.slice(hidden).map((id) => (
        <div key={id} class={css['joined']}>
          <PostOf id={id} context="thread" />
        </div>
      ))}
      <div key={main.id} class={css['main']}>
        {gone.has(main.id) ? (
          <p class={noteCss['none']} role="status">
            {t.thread.deleted}
          </p>
        ) : (
          <PostOf id={main.id} main />
        )}
      </div>
      {thread.own.map((id, index) => (
        <div key={id} class={index < thread.own.length - 1 ? css['joined'] : css['main']}>
          <PostOf id={id} context="thread" isBelowAnswered />
        </div>
      ))}
      {known && <Answers thread={thread} count={thread.sizes.get(main.id) ?? 0} />}
    </section>
  )
}

/** How many of the posts above are shown at first. */
const ancestorsAtFirst = 20

/** What is put in above the post that the page is about does not move it. */
function useKeptInPlace(id: string, above: number): void {
  useEffect(() => {
    if (above === 0 || scrollY > 0) return
    document.querySelector(`[data-status="${CSS.escape(id)}"]`)?.scrollIntoView({ block: 'start' })
  }, [id, above > 0])
}
