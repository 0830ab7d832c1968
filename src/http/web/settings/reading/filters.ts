// Filters without scripts: words and phrases, posts, where they hold, what happens, and until when.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import type { KeywordChange } from '#domain/reading/filters/keywords.ts'
import { getFilter, listFilters, type FilterRow } from '#domain/reading/filters/queries.ts'
import { deleteFilterStatus } from '#domain/reading/filters/statuses.ts'
import {
  createFilter,
  deleteFilter,
  updateFilter,
  type FilterChange,
} from '#domain/reading/filters/write-filter.ts'
import { isTicked, oneOf } from '#http/web/kit/controls.ts'
import { forViewerAt } from '#http/web/kit/for-viewer.ts'
import { renderForm, textParam } from '#http/web/kit/form.ts'
import { redirectTo } from '#http/web/kit/layout.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { renderTime } from '#http/web/public/post-parts.ts'
import { notFound } from '#lib/errors.ts'
import { asId, type FilterId, type FilterKeywordId, type FilterStatusId } from '#lib/id.ts'
import { isId } from '#lib/ids.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { renderSettings, saveAndReturn } from '../settings-page.ts'
import { actions, contexts, durations, nothing, renderFilterForm, type Entered } from './filter-form.ts'

const path = '/settings/filters'

async function showAll(call: PageCall, viewer: Viewer): Promise<Response> {
  const t = textsIn(call.language).pages.settings
  const filters = await listFilters(call.ctx, viewer.accountId)
  const row = (filter: FilterRow) => {
    const end = filter.expires_at
    const isOver = end !== null && end.getTime() <= call.ctx.clock.now()
    const until = end && html`${t.limited.until} ${renderTime(call.language, end.toISOString(), 'exact')}`
    return html`<li>
      <div>
        <a href="${path}/${filter.id}"
          ><strong><bdi>${filter.title}</bdi></strong></a
        >
        <span class="soft">${t.filters.actions[filter.action].label}</span><br />
        <small>${filter.keywords.map(({ keyword }) => keyword).join(' · ')}</small>
        ${until ? html`<small>${isOver ? t.filters.over : until}</small>` : ''}
      </div>
    </li>`
  }
  const body = html`<p>${t.filters.hint}</p>
    ${
      filters.length === 0
        ? html`<p>${t.filters.none}</p>`
        : html`<ul class="rows">
            ${filters.map(row)}
          </ul>`
    }
    <p><a class="button" href="${path}/new">${t.filters.make}</a></p>`
  return renderSettings(call, { title: t.places[path].name, body })
}

function showNew(call: PageCall, problem?: string): Promise<Response> {
  const t = textsIn(call.language).pages.settings.filters
  const entered = problem === undefined ? nothing : readEntered(call)
  const form = renderFilterForm(call, { action: path, entered, submit: t.make, problem })
  return renderSettings(call, { title: t.make, body: form, problem })
}

async function showOne(call: PageCall, viewer: Viewer, problem?: string): Promise<Response> {
  const t = textsIn(call.language).pages.settings
  const filter = await getFilter(call.ctx, viewer.accountId, idOf(call))
  const here = `${path}/${filter.id}`
  const entered = problem === undefined ? { ...filter, expires_in: 'keep' } : readEntered(call)
  const form = renderFilterForm(call, { action: here, entered, submit: t.save, problem })
  const posts = filter.statuses.map(
    ({ id, status_id: statusId }) =>
      html`<li>
        <a href="/statuses/${statusId}">${t.filters.post({ id: statusId })}</a>
        ${renderForm(call, {
          action: `${here}/statuses/${id}/remove`,
          fields: [],
          submit: t.remove,
          about: t.filters.post({ id: statusId }),
          quiet: true,
        })}
      </li>`,
  )
  const body = html`${form}
    ${
      posts.length === 0
        ? ''
        : html`<h2>${t.filters.posts}</h2>
            <ul class="rows">
              ${posts}
            </ul>`
    }
    <h2>${t.filters.delete}</h2>
    ${renderForm(call, { action: `${here}/delete`, fields: [], submit: t.filters.deleteNow, quiet: true })}`
  return renderSettings(call, { title: filter.title, body, problem })
}

function idOf(call: PageCall): FilterId {
  const id = textParam(call.params, 'id')
  if (!isId(id)) throw notFound()
  return asId(id)
}

/** Lines without a word are none: known keywords that have lost theirs go. */
function readEntered({ params }: PageCall): Entered {
  const sent = textParam(params, 'lines')
  const count = Math.min(Number.parseInt(sent, 10) || 0, 500)
  const keywords = Array.from({ length: count }, (_, index) => {
    const id = textParam(params, 'keywords', String(index), 'id')
    return {
      ...(isId(id) && { id: asId<FilterKeywordId>(id) }),
      keyword: textParam(params, 'keywords', String(index), 'keyword').trim(),
      whole_word: isTicked(params, 'keywords', String(index), 'whole_word'),
    }
  })
  return {
    title: textParam(params, 'title').trim(),
    context: contexts.filter((context) => isTicked(params, 'context', context)),
    action: oneOf(params, ['filter_action'], actions),
    expires_in: oneOf(params, ['expires_in'], durations),
    keywords,
  }
}

function toChange({ title, context, action, expires_in: expiresIn, keywords }: Entered): FilterChange {
  const first = keywords.find(({ keyword }) => keyword !== '')?.keyword
  return {
    title: title === '' ? first : title,
    context,
    action,
    // As long as nobody chooses anew it ends when it did.
    ...(expiresIn !== 'keep' && { expiresIn: expiresIn === '' ? null : Number(expiresIn) }),
    keywords: keywords.flatMap(({ id, keyword, whole_word: wholeWord }): KeywordChange[] => {
      if (keyword === '') return id === undefined ? [] : [{ id, destroy: true }]
      return [{ id, keyword, wholeWord }]
    }),
  }
}

const make = (call: PageCall, viewer: Viewer) =>
  saveAndReturn(
    call,
    path,
    () => createFilter(call.ctx, viewer, toChange(readEntered(call))),
    (problem) => showNew(call, problem),
  )

const change = (call: PageCall, viewer: Viewer) =>
  saveAndReturn(
    call,
    `${path}/${idOf(call)}`,
    () => updateFilter(call.ctx, viewer, idOf(call), toChange(readEntered(call))),
    (problem) => showOne(call, viewer, problem),
  )

async function remove(call: PageCall, viewer: Viewer): Promise<Response> {
  await deleteFilter(call.ctx, viewer, idOf(call))
  return redirectTo(path)
}

async function removeStatus(call: PageCall, viewer: Viewer): Promise<Response> {
  const id = textParam(call.params, 'status')
  if (!isId(id)) throw notFound()
  await deleteFilterStatus(call.ctx, viewer, asId<FilterStatusId>(id))
  return redirectTo(`${path}/${idOf(call)}`)
}

const forViewer = forViewerAt(path)

export const pages: readonly Page[] = [
  { method: 'GET', path: '/settings/filters', handle: forViewer(showAll) },
  { method: 'POST', path: '/settings/filters', handle: forViewer(make) },
  { method: 'GET', path: '/settings/filters/new', handle: forViewer((call) => showNew(call)) },
  {
    method: 'GET',
    path: '/settings/filters/:id{[0-9]+}',
    handle: forViewer((call, viewer) => showOne(call, viewer)),
  },
  { method: 'POST', path: '/settings/filters/:id{[0-9]+}', handle: forViewer(change) },
  { method: 'POST', path: '/settings/filters/:id{[0-9]+}/delete', handle: forViewer(remove) },
  {
    method: 'POST',
    path: '/settings/filters/:id{[0-9]+}/statuses/:status{[0-9]+}/remove',
    handle: forViewer(removeStatus),
  },
]
