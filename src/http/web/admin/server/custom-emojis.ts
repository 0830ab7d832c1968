// The emoji of this server, and those of others that it may have too.
import { html } from 'hono/html'
import { copyEmoji, createEmoji } from '#domain/server/instance/emojis/create-emoji.ts'
import { deleteEmoji } from '#domain/server/instance/emojis/delete-emojis.ts'
import { getEmoji, listAllEmojis, type FullEmoji } from '#domain/server/instance/emojis/emojis.ts'
import { updateEmoji, type EmojiChange } from '#domain/server/instance/emojis/update-emoji.ts'
import { asId, type CustomEmojiId } from '#lib/id.ts'
import { invalid } from '#lib/errors.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { renderAdminEmoji } from '#views/server/admin-emojis.ts'
import { textParam } from '../../kit/form.ts'
import { redirectWith } from '../../kit/flash.ts'
import type { Html } from '../../kit/html.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { boxed, fileOf, isTicked, textOf, type Field } from '../kit/fields.ts'
import { renderFilters } from '../kit/filters.ts'
import { pageOf, renderPager } from '../kit/links.ts'
import { actOnTicked, type ManyAct } from '../kit/many.ts'
import { renderAct, renderBadge } from '../kit/parts.ts'
import { findRow, resourcePages, type Resource } from '../kit/resource.ts'
import { renderBulk } from '../kit/table.ts'

const permission = 'manage_custom_emojis'
const path = '/admin/custom_emojis'
const upload = 8_388_608
const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.customEmojis
const idOf = (id: string) => asId<CustomEmojiId>(id)
const nameOf = ({ shortcode, domain }: FullEmoji) =>
  domain === null ? `:${shortcode}:` : `:${shortcode}:@${domain}`

const resource: Resource<FullEmoji> = {
  path,
  permission,
  upload,
  words: (call) => ({
    title: textsIn(call.language).pages.admin.sections.custom_emojis,
    hint: textsOf(call).hint,
    add: textsOf(call).add,
  }),
  list: showList,
  find: (call, id) => getEmoji(call.ctx, idOf(id)),
  nameOf,
  fields: fieldsOf,
  enteredOf: (row) => ({
    shortcode: row?.shortcode ?? '',
    category: row?.category ?? '',
    visible_in_picker: boxed(row?.visible_in_picker ?? true),
    disabled: boxed(row?.disabled ?? false),
  }),
  async create(call, entered) {
    const file = fileOf(call, 'image')
    if (!file) throw invalid('image', 'blank')
    await createEmoji(call.ctx, call.viewer, {
      shortcode: textOf(entered, 'shortcode').replaceAll(':', '').trim(),
      path: file.path,
      category: textOf(entered, 'category'),
      visibleInPicker: isTicked(entered, 'visible_in_picker'),
    })
  },
  async update(call, row, entered) {
    const disabled = isTicked(entered, 'disabled')
    const own: EmojiChange = {
      path: fileOf(call, 'image')?.path,
      category: textOf(entered, 'category'),
      visibleInPicker: isTicked(entered, 'visible_in_picker'),
    }
    // Of those of others nothing else can be changed. The log has a word of its own for it.
    if (row.domain === null) await updateEmoji(call.ctx, call.viewer, row.id, own)
    if (disabled !== row.disabled) await updateEmoji(call.ctx, call.viewer, row.id, { disabled })
  },
  remove: {
    run: (call, row) => deleteEmoji(call.ctx, call.viewer, row.id),
    consequences: (call) => [textsOf(call).removal],
  },
  above: async (call, row) =>
    html`<p>${picture(call, row, 64)}</p>
      ${row.domain === null ? '' : renderAct(call, { action: `${path}/${row.id}/copy`, label: textsOf(call).copy })}`,
}

function fieldsOf(call: DeskCall, row: FullEmoji | null): Field[] {
  const t = textsOf(call)
  const disabled: Field = { kind: 'box', name: 'disabled', label: t.disabled }
  if (row && row.domain !== null) return [disabled]
  return [
    ...(row === null
      ? [
          {
            kind: 'text',
            name: 'shortcode',
            label: t.shortcode,
            hint: t.shortcodeHint,
            required: true,
          } as const,
        ]
      : []),
    {
      kind: 'file',
      name: 'image',
      label: row === null ? t.image : t.newImage,
      hint: t.imageHint,
      accept: 'image/png,image/gif,image/webp',
      required: row === null,
    },
    { kind: 'text', name: 'category', label: t.category, maxLength: 200 },
    { kind: 'box', name: 'visible_in_picker', label: t.listed },
    ...(row === null ? [] : [disabled]),
  ]
}

function picture(call: DeskCall, emoji: FullEmoji, size = 32): Html | string {
  const { url } = renderAdminEmoji(call.ctx.config, emoji)
  return url
    ? html`<img src="${url}" alt="${nameOf(emoji)}" width="${size}" height="${size}" loading="lazy" />`
    : ''
}

async function showList(call: DeskCall) {
  const t = textsOf(call)
  const origin = textParam(call.params, 'origin') === 'remote' ? ('remote' as const) : ('local' as const)
  const filter = {
    origin,
    domain: textParam(call.params, 'by_domain').trim() || undefined,
    shortcode: textParam(call.params, 'shortcode').replaceAll(':', '').trim() || undefined,
    ...(textParam(call.params, 'disabled') === 'true' && { disabled: true }),
  }
  const page = await listAllEmojis(call.ctx, filter, pageOf(call))
  const table = {
    caption: resource.words(call).title,
    columns: [{ label: t.shortcode }, { label: t.image }, { label: t.category }, { label: t.state }],
    rows: page.items.map((emoji) => ({
      id: emoji.id,
      label: nameOf(emoji),
      cells: [
        html`<a href="${path}/${emoji.id}"><bdi>${nameOf(emoji)}</bdi></a>`,
        picture(call, emoji),
        emoji.category ?? '',
        html`${emoji.disabled ? renderBadge(t.isDisabled, 'alarm') : ''}
        ${emoji.domain === null && !emoji.visible_in_picker ? renderBadge(t.isUnlisted) : ''}`,
      ],
    })),
    none: t.none,
  }
  const form = origin === 'local' ? own.form(call) : foreign.form(call)
  return html`${filtersOf(call)} ${renderBulk(call, table, { ...form, hidden: { origin } })}
  ${renderPager(call, page)}`
}

const filtersOf = (call: DeskCall) => {
  const t = textsOf(call)
  return renderFilters(call, [
    {
      name: 'origin',
      label: t.origin,
      choices: [
        { value: '', label: t.local },
        { value: 'remote', label: t.remote },
      ],
    },
    { name: 'shortcode', label: t.shortcode },
    { name: 'by_domain', label: t.domain },
    {
      name: 'disabled',
      label: t.state,
      choices: [
        { value: '', label: t.all },
        { value: 'true', label: t.isDisabled },
      ],
    },
  ])
}

const changing = (
  change: EmojiChange,
  label: (call: DeskCall) => string,
  consequence: (call: DeskCall) => string,
): ManyAct => ({
  label,
  consequence,
  run: (call, id) => updateEmoji(call.ctx, call.viewer, idOf(id), change),
})

const enabling = {
  enable: changing(
    { disabled: false },
    (call) => textsOf(call).enable,
    (call) => textsOf(call).enabling,
  ),
  disable: changing(
    { disabled: true },
    (call) => textsOf(call).disable,
    (call) => textsOf(call).disabling,
  ),
}

const removing: ManyAct = {
  label: (call) => textsIn(call.language).pages.desk.common.remove,
  consequence: (call) => textsOf(call).removal,
  alarming: true,
  run: (call, id) => deleteEmoji(call.ctx, call.viewer, idOf(id)),
}

const shared = {
  permission,
  nameOf: async (call: DeskCall, id: string) => nameOf(await getEmoji(call.ctx, idOf(id))),
} as const

const own = actOnTicked({
  ...shared,
  path,
  acts: {
    ...enabling,
    list: changing(
      { visibleInPicker: true },
      (call) => textsOf(call).list,
      (call) => textsOf(call).listing,
    ),
    unlist: changing(
      { visibleInPicker: false },
      (call) => textsOf(call).unlist,
      (call) => textsOf(call).unlisting,
    ),
    categorise: {
      label: (call) => textsOf(call).categorise,
      consequence: (call) => textsOf(call).categorising,
      fields: (call) => ({ kind: 'text', name: 'category', label: textsOf(call).category }),
      run: (call, id) =>
        updateEmoji(call.ctx, call.viewer, idOf(id), { category: textParam(call.params, 'category') }),
    },
    remove: removing,
  },
})

/** Those of other servers. */
const foreign = actOnTicked({
  ...shared,
  path: `${path}/remote`,
  back: `${path}?origin=remote`,
  acts: {
    copy: {
      label: (call) => textsOf(call).copy,
      consequence: (call) => textsOf(call).copying,
      run: (call, id) => copyEmoji(call.ctx, call.viewer, idOf(id), {}),
    },
    ...enabling,
    remove: removing,
  },
})

async function copy(call: DeskCall): Promise<Response> {
  const { id } = await findRow(call, resource)
  const made = await copyEmoji(call.ctx, call.viewer, id, {})
  return redirectWith(call, `${path}/${made}`, { text: textsOf(call).copied })
}

export const pages = [
  ...resourcePages(resource),
  ...own.pages,
  ...foreign.pages,
  adminPage({ method: 'POST', path: '/admin/custom_emojis/:id/copy', permission, handle: copy }),
]
