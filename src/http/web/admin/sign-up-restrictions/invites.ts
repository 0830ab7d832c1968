// The invites of everybody.
import { html } from 'hono/html'
import { hasPermission } from '#domain/identity/accounts/permissions.ts'
import {
  createInvite,
  deactivateAllInvites,
  deactivateInvite,
  getInvite,
  listInvites,
  type Invite,
} from '#domain/identity/sign-up-restrictions/invites.ts'
import { asId, type InviteId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { textParam } from '../../kit/form.ts'
import { redirectWith } from '../../kit/flash.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { renderConfirm } from '../kit/confirm.ts'
import { boxed, isTicked, numberOf, textOf, type Field } from '../kit/fields.ts'
import { renderFilters } from '../kit/filters.ts'
import { pageOf, renderPager } from '../kit/links.ts'
import { actOnTicked } from '../kit/many.ts'
import { renderBadge, renderMoment } from '../kit/parts.ts'
import { resourcePages, type Resource } from '../kit/resource.ts'
import { renderBulk } from '../kit/table.ts'

const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.invites
const permission = 'manage_invites'

const resource: Resource<Invite> = {
  path: '/admin/invites',
  permission,
  words: (call) => ({
    title: textsIn(call.language).pages.admin.sections.invites,
    hint: textsOf(call).hint,
    add: textsOf(call).add,
  }),
  list: showList,
  find: (call, id) => getInvite(call.ctx, asId<InviteId>(id)),
  nameOf: ({ code }) => code,
  fields: (call) => fieldsOf(call),
  enteredOf: () => ({ max_uses: '', expires_in: '604800', comment: '', autofollow: boxed(false) }),
  async create(call, entered) {
    const made = await createInvite(
      call.ctx,
      call.viewer,
      {
        maxUses: numberOf(entered, 'max_uses') ?? null,
        expiresIn: numberOf(entered, 'expires_in') ?? null,
        autofollow: isTicked(entered, 'autofollow'),
        comment: textOf(entered, 'comment'),
      },
      { recorded: true },
    )
    return { text: textsOf(call).made({ url: urlOf(call, made) }) }
  },
}

const urlOf = (call: DeskCall, { code }: Invite) => `${call.ctx.config.baseUrl}/invite/${code}`

function fieldsOf(call: DeskCall): Field[] {
  const t = textsOf(call)
  const day = 86_400
  return [
    { kind: 'text', name: 'max_uses', label: t.maxUses, hint: t.maxUsesHint, type: 'number' },
    {
      kind: 'choice',
      name: 'expires_in',
      label: t.lasts,
      choices: [
        ...[1, 7, 30, 365].map((count) => ({ value: String(count * day), label: t.days({ count }) })),
        { value: '', label: t.forGood },
      ],
    },
    { kind: 'box', name: 'autofollow', label: t.autofollow },
    { kind: 'text', name: 'comment', label: t.comment, maxLength: 420 },
  ]
}

async function showList(call: DeskCall) {
  const t = textsOf(call)
  const state = textParam(call.params, 'usable')
  const usable = state === '' ? undefined : state === 'true'
  const page = await listInvites(call.ctx, pageOf(call), { usable })
  const table = {
    caption: resource.words(call).title,
    columns: [{ label: t.link }, { label: t.by }, { label: t.uses, numeric: true }, { label: t.until }],
    rows: page.items.map((invite) => ({
      ...(invite.usable && { id: invite.id, label: invite.code }),
      cells: [
        html`<code>${urlOf(call, invite)}</code>${
            invite.comment === '' ? '' : html`<br /><small>${invite.comment}</small>`
          }`,
        html`<a href="/admin/accounts/${invite.account_id}">@${invite.username}</a>`,
        invite.max_uses === null ? String(invite.uses) : `${invite.uses} / ${invite.max_uses}`,
        !invite.usable
          ? renderBadge(t.over)
          : invite.expires_at === null
            ? t.forGood
            : renderMoment(call, invite.expires_at),
      ],
    })),
    none: t.none,
  }
  const filters = renderFilters(call, [
    {
      name: 'usable',
      label: t.state,
      choices: [
        { value: '', label: t.all },
        { value: 'true', label: t.usable },
        { value: 'false', label: t.over },
      ],
    },
  ])
  const personal = hasPermission(call.viewer, 'invite_users')
    ? html`<p><a href="/invites">${t.toOwn}</a></p>`
    : ''
  return html`${filters} ${personal} ${renderBulk(call, table, many.form(call))} ${renderPager(call, page)}
    <p><a class="button quiet alarming" href="/admin/invites/deactivate_all">${t.endAll}</a></p>`
}

const many = actOnTicked({
  path: '/admin/invites',
  permission,
  nameOf: async (call, id) => (await getInvite(call.ctx, asId<InviteId>(id))).code,
  acts: {
    deactivate: {
      label: (call) => textsOf(call).end,
      consequence: (call) => textsOf(call).ending,
      alarming: true,
      run: (call, id) => deactivateInvite(call.ctx, call.viewer, asId<InviteId>(id)),
    },
  },
})

const askToEndAll = (call: DeskCall) =>
  renderConfirm(call, {
    title: textsOf(call).endAll,
    consequences: [textsOf(call).endingAll],
    action: '/admin/invites/deactivate_all',
    submit: textsOf(call).endAll,
    back: resource.path,
  })

async function endAll(call: DeskCall): Promise<Response> {
  const count = await deactivateAllInvites(call.ctx, call.viewer)
  return redirectWith(call, resource.path, { text: textsOf(call).ended({ count }) })
}

export const pages = [
  adminPage({ path: '/admin/invites/deactivate_all', permission, handle: askToEndAll }),
  adminPage({ method: 'POST', path: '/admin/invites/deactivate_all', permission, handle: endAll }),
  ...resourcePages(resource),
  ...many.pages,
]
