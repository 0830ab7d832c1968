// The invites that somebody made, and making new ones.
import { html } from 'hono/html'
import {
  createInvite,
  listInvites,
  revokeInvite,
  type Invite,
} from '#domain/identity/sign-up-restrictions/invites.ts'
import { hasPermission } from '#domain/identity/accounts/permissions.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { AppError, isAppError, notFound } from '#lib/errors.ts'
import { isId } from '#lib/ids.ts'
import { renderCheckbox, renderField, renderForm, textParam } from '../kit/form.ts'
import { describeProblems } from '#lib/messages/describe-error.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { signInPath } from '../kit/return-to.ts'
import type { Html } from '../kit/html.ts'
import { asId, type InviteId } from '#lib/id.ts'

const path = '/invites'
const perPage = 40
const usesToChoose = [1, 5, 10, 25, 50, 100]
const hour = 3600
const day = 24 * hour
/** Seconds; null: no end. */
const timesToChoose = [hour / 2, hour, 6 * hour, 12 * hour, day, 7 * day]
const usualTime = day

async function show(call: PageCall, viewer: Viewer, problem?: string): Promise<Response> {
  const t = textsIn(call.language).pages.invites
  const maxId = textParam(call.params, 'max_id')
  const page = await listInvites(
    call.ctx,
    { limit: perPage, ...(isId(maxId) && { maxId }) },
    { accountId: viewer.accountId },
  )
  const older =
    page.full && page.oldest !== null
      ? html`<p><a href="${path}?max_id=${page.oldest}">${t.older}</a></p>`
      : ''
  const rows =
    page.items.length === 0
      ? html`<p>${t.none}</p>`
      : html`<ul class="rows">
          ${page.items.map((invite) => renderInvite(call, invite))}
        </ul>`
  const form = renderForm(call, {
    action: path,
    fields: fieldsOf(call),
    submit: t.make,
    ...(problem !== undefined && { problem }),
  })
  const body = html`<p>${t.hint}</p>
    ${form} ${rows} ${older}`
  return renderPage(call, { title: t.title, body, wide: true, status: problem === undefined ? 200 : 422 })
}

function fieldsOf(call: PageCall): Html[] {
  const t = textsIn(call.language).pages.invites
  const length = (seconds: number) =>
    seconds < hour
      ? t.minutes
      : seconds < day
        ? t.hours({ count: seconds / hour })
        : t.days({ count: seconds / day })
  return [
    renderChoice('max_uses', t.uses, [
      { value: '', label: t.noLimit, chosen: true },
      ...usesToChoose.map((count) => ({ value: String(count), label: t.times({ count }), chosen: false })),
    ]),
    renderChoice('expires_in', t.lasts, [
      ...timesToChoose.map((seconds) => ({
        value: String(seconds),
        label: length(seconds),
        chosen: seconds === usualTime,
      })),
      { value: '', label: t.noLimit, chosen: false },
    ]),
    renderField({ name: 'comment', label: t.comment, required: false, maxLength: 420 }),
    renderCheckbox({ name: 'autofollow', label: t.autofollow }),
  ]
}

function renderChoice(
  name: string,
  label: string,
  options: readonly { value: string; label: string; chosen: boolean }[],
): Html {
  return html`<label for="invite-${name}">${label}</label>
    <select id="invite-${name}" name="${name}">
      ${options.map(
        (option) =>
          html`<option value="${option.value}" ${option.chosen ? html`selected` : ''}>
            ${option.label}
          </option>`,
      )}
    </select>`
}

function renderInvite(call: PageCall, invite: Invite): Html {
  const t = textsIn(call.language).pages.invites
  const url = `${call.ctx.config.baseUrl}/invite/${invite.code}`
  const end = invite.expires_at?.toLocaleString(call.language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  const facts = [
    invite.max_uses === null
      ? t.used({ uses: invite.uses })
      : t.usedOf({ uses: invite.uses, max: invite.max_uses }),
    ...(invite.usable ? (end ? [t.until({ time: `${end} UTC` })] : []) : [t.over]),
    ...(invite.comment === '' ? [] : [invite.comment]),
  ]
  const revoke = renderForm(call, {
    action: `${path}/${invite.id}`,
    fields: [],
    submit: t.revoke,
    quiet: true,
  })
  return html`<li>
    <div>
      ${invite.usable ? html`<a href="${url}">${url}</a>` : html`<span class="soft">${url}</span>`}<br />
      <small>${facts.join(' · ')}</small>
    </div>
    ${invite.usable ? revoke : ''}
  </li>`
}

async function make(call: PageCall, viewer: Viewer): Promise<Response> {
  await call.limits.count('invites', viewer.userId)
  try {
    await createInvite(call.ctx, viewer, {
      maxUses: numberParam(call, 'max_uses'),
      expiresIn: numberParam(call, 'expires_in'),
      autofollow: textParam(call.params, 'autofollow') === '1',
      comment: textParam(call.params, 'comment'),
    })
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error
    return show(call, viewer, describeProblems(error.reason, call.language))
  }
  return redirectTo(path)
}

/** Null when nothing was chosen. What is no number is refused like one that is too large. */
function numberParam(call: PageCall, name: string): number | null {
  const text = textParam(call.params, name)
  if (text === '') return null
  return /^\d{1,9}$/.test(text) ? Number(text) : -1
}

async function revoke(call: PageCall, viewer: Viewer): Promise<Response> {
  const id = textParam(call.params, 'id')
  if (!isId(id)) throw notFound()
  await revokeInvite(call.ctx, viewer, asId<InviteId>(id))
  return redirectTo(path)
}

const forInviters =
  (work: (call: PageCall, viewer: Viewer) => Promise<Response>): Page['handle'] =>
  async (call) => {
    const { viewer } = call
    if (!viewer || viewer.refusal !== null) return redirectTo(signInPath(path), 302)
    if (!hasPermission(viewer, 'invite_users'))
      throw new AppError('forbidden', { said: textsIn(call.language).pages.invites.forbidden })
    return work(call, viewer)
  }

export const pages: readonly Page[] = [
  { method: 'GET', path: '/invites', handle: forInviters((call, viewer) => show(call, viewer)) },
  { method: 'POST', path: '/invites', handle: forInviters(make) },
  { method: 'POST', path: '/invites/:id', handle: forInviters(revoke) },
]
