// One's filters: what each is for, and what it does.
import { useEffect, useState } from 'preact/hooks'
import type { Filter, FilterStatus } from '#entities/filter.ts'
import type { Status } from '#entities/status.ts'
import { listen } from '../../api/streaming.ts'
import { now } from '../../core/clock.ts'
import { confirm } from '../../core/confirm.ts'
import { formatDateTime } from '../../core/format.ts'
import { plainTextOf } from '../../core/plain-text.ts'
import { t } from '../../core/texts.ts'
import { act } from '../../data/act.ts'
import { deleteFilter, filtersPath, hideFilter, hideStatus, removeStatus } from '../../data/filters.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { isDeleted } from '../../data/statuses.ts'
import { Button } from '../../parts/controls/button.tsx'
import { Dialog } from '../../parts/controls/dialog.tsx'
import { IconButton } from '../../parts/controls/icon-button.tsx'
import { FilterForm } from '../../parts/filter/filter-form.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import noteCss from '../../parts/page/note.module.css'
import { Problem } from '../../parts/page/problem.tsx'
import css from './filters.module.css'

export function Filters() {
  const { data: filters, error } = useQuery<Filter[]>(filtersPath)
  const [open, setOpen] = useState<Filter | 'new' | null>(null)
  useEffect(
    () =>
      listen({ stream: 'user' }, { event: (name) => name === 'filters_changed' && invalidate(filtersPath) }),
    [],
  )
  const close = () => setOpen(null)
  return (
    <>
      <PageHeading title={t.filters.all}>
        <Button look="main" onClick={() => setOpen('new')}>
          {t.filters.make}
        </Button>
      </PageHeading>
      <p class={noteCss['about']}>{t.filters.about}</p>
      {error !== null && !filters && <Problem text={error} onRetry={() => invalidate(filtersPath)} />}
      {filters?.length === 0 && <p class={noteCss['none']}>{t.filters.none}</p>}
      {filters && filters.length > 0 && (
        <ul class={css['filters']} aria-label={t.filters.all}>
          {filters.map((filter) => (
            <Item key={filter.id} filter={filter} onEdit={() => setOpen(filter)} />
          ))}
        </ul>
      )}
      {open !== null && (
        <Dialog title={open === 'new' ? t.filters.make : t.filters.edit} size="wide" onClose={close}>
          <FilterForm filter={open === 'new' ? null : open} onSaved={close} onCancel={close} />
        </Dialog>
      )}
    </>
  )
}

const isOver = ({ expires_at: until }: Filter) => until !== null && Date.parse(until) <= now.value

function Item({ filter, onEdit }: { filter: Filter; onEdit: () => void }) {
  const { id, title, keywords, context, expires_at: until, filter_action: action } = filter
  const remove = () =>
    confirm({
      title: t.filters.deleteQuestion({ title }),
      action: t.filters.delete,
      run: () => void act({ show: () => hideFilter(id), ask: () => deleteFilter(id) }),
    })
  return (
    <li class={`${css['filter']} ${isOver(filter) ? css['over'] : ''}`}>
      <header>
        <h2 dir="auto">{title}</h2>
        <span class={css['buttons']}>
          <IconButton icon="edit" label={t.filters.editOne({ title })} onClick={onEdit} />
          <IconButton icon="trash" label={t.filters.deleteOne({ title })} onClick={remove} />
        </span>
      </header>
      {keywords.length > 0 && (
        <ul class={css['words']} aria-label={t.filters.keywords}>
          {keywords.map((one) => (
            <li key={one.id} dir="auto">
              {one.whole_word ? one.keyword : `…${one.keyword}…`}
            </li>
          ))}
        </ul>
      )}
      <p class={css['facts']}>
        {t.filters.actions[action]}
        {' · '}
        {context.map((one) => t.filters.contexts[one]).join(', ')}
        {until !== null && ' · '}
        {until !== null &&
          (isOver(filter) ? t.filters.over : t.filters.until({ time: formatDateTime(until) }))}
      </p>
      <Posts filter={filter} />
    </li>
  )
}

/** Posts that it is for whatever stands in them. */
function Posts({ filter: { id, statuses: all } }: { filter: Filter }) {
  const statuses = all.filter((one) => !isDeleted(one.status_id))
  if (statuses.length === 0) return null
  return (
    <details class={css['posts']}>
      <summary>{t.filters.posts({ count: statuses.length })}</summary>
      <ul>
        {statuses.map((one) => (
          <Post key={one.id} filterId={id} filtered={one} />
        ))}
      </ul>
    </details>
  )
}

function Post({ filterId, filtered }: { filterId: string; filtered: FilterStatus }) {
  const { data: status, error } = useQuery<Status>(`/api/v1/statuses/${filtered.status_id}`)
  const text = status && (status.spoiler_text || plainTextOf(status.content))
  const remove = () =>
    void act({ show: () => hideStatus(filterId, filtered.id), ask: () => removeStatus(filtered.id) })
  return (
    <li>
      {status ? (
        <a href={`/@${status.account.acct}/${status.id}`} dir="auto">
          {text || t.notifications.mediaOnly}
        </a>
      ) : (
        <span>{error ?? t.common.loading}</span>
      )}
      <IconButton icon="close" label={t.filters.removePost} onClick={remove} />
    </li>
  )
}
