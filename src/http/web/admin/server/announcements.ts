// What everybody here is told.
import { html, raw } from 'hono/html'
import {
  createAnnouncement,
  deleteAnnouncement,
  updateAnnouncement,
} from '#domain/reading/announcements/edit-announcement.ts'
import {
  getAnnouncement,
  listAllAnnouncements,
  type AnnouncementRow,
} from '#domain/reading/announcements/queries.ts'
import { asId, type AnnouncementId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { Html } from '../../kit/html.ts'
import type { DeskCall } from '../kit/admin-page.ts'
import { boxed, isTicked, textOf, type Entered } from '../kit/fields.ts'
import { pageOf, renderPager } from '../kit/links.ts'
import { actOnTicked } from '../kit/many.ts'
import { renderBadge, renderMoment, renderPanel } from '../kit/parts.ts'
import { resourcePages, type Resource } from '../kit/resource.ts'
import { renderBulk } from '../kit/table.ts'

const permission = 'manage_announcements'
const path = '/admin/announcements'
const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.announcements

const idOf = (id: string) => asId<AnnouncementId>(id)
const nameOf = ({ text }: AnnouncementRow) => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** As a field of a form has it: UTC, to the minute. */
const timeField = (time: Date | null | undefined) => time?.toISOString().slice(0, 16) ?? ''

const resource: Resource<AnnouncementRow> = {
  path,
  permission,
  words: (call) => ({
    title: textsIn(call.language).pages.admin.sections.announcements,
    hint: textsOf(call).hint,
    add: textsOf(call).add,
  }),
  list: showList,
  find: (call, id) => getAnnouncement(call.ctx, idOf(id)),
  nameOf,
  fields: (call) => {
    const t = textsOf(call)
    return [
      { kind: 'area', name: 'text', label: t.text, hint: t.textHint, rows: 6, required: true },
      { kind: 'text', name: 'starts_at', type: 'datetime-local', label: t.starts, hint: t.timesHint },
      { kind: 'text', name: 'ends_at', type: 'datetime-local', label: t.ends },
      { kind: 'box', name: 'all_day', label: t.allDay },
      {
        kind: 'text',
        name: 'scheduled_at',
        type: 'datetime-local',
        label: t.scheduled,
        hint: t.scheduledHint,
      },
      { kind: 'box', name: 'published', label: t.published },
    ]
  },
  enteredOf: (row) => ({
    text: row?.text ?? '',
    starts_at: timeField(row?.starts_at),
    ends_at: timeField(row?.ends_at),
    all_day: boxed(row?.all_day ?? false),
    scheduled_at: timeField(row?.scheduled_at),
    published: boxed(row === null || row.published_at !== null),
  }),
  async create(call, entered) {
    await createAnnouncement(call.ctx, call.viewer, inputOf(entered))
  },
  async update(call, row, entered) {
    await updateAnnouncement(call.ctx, call.viewer, row.id, inputOf(entered))
  },
  remove: {
    run: (call, row) => deleteAnnouncement(call.ctx, call.viewer, row.id),
    consequences: (call) => [textsOf(call).removal],
  },
  above: async (call, row): Promise<Html> => renderPanel(textsOf(call).seen, html`${raw(row.content)}`),
}

function inputOf(entered: Entered) {
  const time = (name: string) => {
    const text = textOf(entered, name)
    return text === '' ? '' : `${text}Z`
  }
  return {
    text: textOf(entered, 'text'),
    startsAt: time('starts_at'),
    endsAt: time('ends_at'),
    allDay: isTicked(entered, 'all_day'),
    scheduledAt: time('scheduled_at'),
    published: isTicked(entered, 'published'),
  }
}

async function showList(call: DeskCall) {
  const t = textsOf(call)
  const page = await listAllAnnouncements(call.ctx, pageOf(call))
  const now = call.ctx.clock.now()
  const stateOf = (row: AnnouncementRow) =>
    row.published_at !== null
      ? renderBadge(t.isPublished, 'good')
      : row.scheduled_at !== null && row.scheduled_at.getTime() > now
        ? html`${renderBadge(t.isScheduled, 'main')} ${renderMoment(call, row.scheduled_at)}`
        : renderBadge(t.isDraft)
  const moment = (time: Date | null) => (time === null ? '' : renderMoment(call, time))
  const table = {
    caption: resource.words(call).title,
    columns: [{ label: t.text }, { label: t.state }, { label: t.starts }, { label: t.ends }],
    rows: page.items.map((row) => ({
      id: row.id,
      label: nameOf(row),
      cells: [
        html`<a href="${path}/${row.id}">${nameOf(row)}</a>`,
        stateOf(row),
        moment(row.starts_at),
        moment(row.ends_at),
      ],
    })),
    none: t.none,
  }
  return html`${renderBulk(call, table, many.form(call))} ${renderPager(call, page)}`
}

const publish = (published: boolean) => ({
  label: (call: DeskCall) => (published ? textsOf(call).publish : textsOf(call).unpublish),
  consequence: (call: DeskCall) => (published ? textsOf(call).publishing : textsOf(call).unpublishing),
  run: (call: DeskCall, id: string) => updateAnnouncement(call.ctx, call.viewer, idOf(id), { published }),
})

const many = actOnTicked({
  path,
  permission,
  nameOf: async (call, id) => nameOf(await getAnnouncement(call.ctx, idOf(id))),
  acts: {
    publish: publish(true),
    unpublish: publish(false),
    remove: {
      label: (call) => textsIn(call.language).pages.desk.common.remove,
      consequence: (call) => textsOf(call).removal,
      alarming: true,
      run: (call, id) => deleteAnnouncement(call.ctx, call.viewer, idOf(id)),
    },
  },
})

export const pages = [...resourcePages(resource), ...many.pages]
