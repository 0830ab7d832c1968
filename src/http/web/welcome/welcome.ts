// The first steps of a newcomer: who they are, what they want to read about, and whom they follow. Each can be left out.
import { html } from 'hono/html'
import { followTag } from '#domain/content/tags/follow-tag.ts'
import { isTagName, loadFollowedTagIds } from '#domain/content/tags/queries.ts'
import { updateProfile } from '#domain/identity/accounts/profile/update-profile.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { listSuggestions } from '#domain/reading/suggestions/queries.ts'
import { listTrendingTags } from '#domain/reading/trends/queries.ts'
import { followAccount } from '#domain/social/relationships/follow.ts'
import { isUploadedFile, type ParamTree } from '#http/kit/params/params.ts'
import { readImage } from '#http/kit/params/read-image.ts'
import { isAppError } from '#lib/errors.ts'
import { asId, type AccountId } from '#lib/id.ts'
import { isId } from '#lib/ids.ts'
import { describeProblems } from '#lib/messages/describe-error.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewAccounts } from '#views/identity/accounts.ts'
import { viewProfile } from '#views/identity/profile.ts'
import { cropUrl } from '../kit/assets.ts'
import { forViewerAt } from '../kit/for-viewer.ts'
import { renderField, renderForm, textParam } from '../kit/form.ts'
import type { Html } from '../kit/html.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { renderPerson } from '../settings/people/person.ts'
import { renderPicture } from '../settings/profile/profile-parts.ts'

const steps = ['/welcome', '/welcome/topics', '/welcome/people', '/home'] as const
type Step = 0 | 1 | 2

const shown = 20
/** Bytes that are taken at all; the server's own limit is told in words. */
const fileBytes = 64 * 1024 * 1024

interface Shown {
  form: Html
  problem?: string | undefined
}

function renderStep(call: PageCall, step: Step, { form, problem }: Shown): Promise<Response> {
  const t = textsIn(call.language).pages.welcome
  const words = [t.profile, t.topics, t.people][step] ?? t.profile
  const body = html`<p class="soft">${t.step({ number: step + 1, all: steps.length - 1 })}</p>
    <p>${words.hint}</p>
    ${form}
    <p><a href="${steps[step + 1]}">${step === 2 ? t.end : t.skip}</a></p>`
  return renderPage(call, {
    title: words.title,
    body,
    wide: true,
    pictures: true,
    ...(step === 0 && { script: cropUrl }),
    status: problem === undefined ? 200 : 422,
  })
}

async function showProfile(call: PageCall, viewer: Viewer, problem?: string): Promise<Response> {
  const t = textsIn(call.language).pages
  const profile = await viewProfile(call.ctx, viewer.accountId)
  const value = (name: 'display_name' | 'note') =>
    problem === undefined ? profile[name] : textParam(call.params, name)
  const { limits } = call.ctx.config
  const words = t.settings.profile
  const form = renderForm(call, {
    action: steps[0],
    files: true,
    problem: problem ?? null,
    fields: [
      renderField({
        name: 'display_name',
        label: words.displayName,
        value: value('display_name'),
        hint: words.displayNameHint({ max: limits.displayNameCharacters }),
        required: false,
        autocomplete: 'name',
      }),
      renderField({
        name: 'note',
        label: words.note,
        value: value('note'),
        hint: t.welcome.noteHint,
        required: false,
        rows: 4,
      }),
      renderPicture(call, { name: 'avatar', label: words.avatar, profile }),
    ],
    submit: t.welcome.next,
  })
  return renderStep(call, 0, { form, problem })
}

async function saveProfile(call: PageCall, viewer: Viewer): Promise<Response> {
  const { ctx, params } = call
  try {
    const file = params['avatar']
    const avatar =
      isUploadedFile(file) && file.size > 0
        ? await readImage('avatar', file, ctx.config.limits.avatarBytes)
        : undefined
    await updateProfile(ctx, viewer, {
      displayName: textParam(params, 'display_name'),
      note: textParam(params, 'note').replaceAll('\r\n', '\n'),
      avatar,
      avatarDescription: textParam(params, 'avatar_description'),
    })
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error
    return showProfile(call, viewer, describeProblems(error.reason, call.language))
  }
  return redirectTo(steps[1])
}

async function showTopics(call: PageCall, viewer: Viewer): Promise<Response> {
  const t = textsIn(call.language).pages.welcome
  const tags = await listTrendingTags(call.ctx, viewer, { limit: shown, offset: 0 })
  const followed = await loadFollowedTagIds(
    call.ctx,
    viewer.accountId,
    tags.map(({ id }) => id),
  )
  const boxes = tags.map(({ id, display_name: name }) =>
    renderTick({ name: 'tags[]', value: name, isTicked: followed.has(id), label: html`<bdi>#${name}</bdi>` }),
  )
  const form = renderForm(call, {
    action: steps[1],
    fields: [
      boxes.length === 0 ? '' : html`<div class="many">${boxes}</div>`,
      renderField({ name: 'more', label: t.moreTopics, hint: t.moreTopicsHint, required: false }),
    ],
    submit: t.next,
  })
  return renderStep(call, 1, { form })
}

/** What was ticked or written, as often as it may stand there. */
const textsOf = (params: ParamTree, name: string): string[] => {
  const sent = params[name]
  return Array.isArray(sent) ? sent.filter((one) => typeof one === 'string').slice(0, shown) : []
}

async function saveTopics(call: PageCall, viewer: Viewer): Promise<Response> {
  const written = textParam(call.params, 'more').split(/[\s,;]+/)
  const names = [...textsOf(call.params, 'tags'), ...written.slice(0, shown)]
  for (const name of names.filter(isTagName)) await followTag(call.ctx, viewer, name)
  return redirectTo(steps[2])
}

async function showPeople(call: PageCall, viewer: Viewer): Promise<Response> {
  const t = textsIn(call.language).pages.welcome
  const suggested = await listSuggestions(call.ctx, viewer, { limit: shown, offset: 0 })
  const accounts = await viewAccounts(
    call.ctx,
    suggested.map(({ id }) => id),
  )
  const rows = accounts.map(
    (account) =>
      html`<li>
        ${renderTick({ name: 'ids[]', value: account.id, isTicked: false, label: renderPerson(account) })}
      </li>`,
  )
  const form =
    rows.length === 0
      ? html`<p>${t.nobody} <a href="/explore">${t.explore}</a></p>`
      : renderForm(call, {
          action: steps[2],
          fields: [
            html`<ul class="rows">
              ${rows}
            </ul>`,
          ],
          submit: t.follow,
        })
  return renderStep(call, 2, { form })
}

interface Tick {
  name: string
  value: string
  isTicked: boolean
  label: Html
}

const renderTick = ({ name, value, isTicked, label }: Tick) =>
  html`<label class="check"
    ><input type="checkbox" name="${name}" value="${value}" ${isTicked ? html`checked` : ''} />
    <span>${label}</span></label
  >`

/** Who is gone meanwhile, or cannot be followed, is left out. */
async function savePeople(call: PageCall, viewer: Viewer): Promise<Response> {
  for (const id of textsOf(call.params, 'ids').filter(isId)) {
    try {
      await call.limits.spend('follows', () => followAccount(call.ctx, viewer, asId<AccountId>(id)))
    } catch (error) {
      if (!isAppError(error, 'not_found') && !isAppError(error, 'forbidden')) throw error
    }
  }
  return redirectTo(steps[3])
}

const forViewer = forViewerAt(steps[0])
const personal = true

export const pages: readonly Page[] = [
  {
    method: 'GET',
    path: '/welcome',
    personal,
    handle: forViewer((call, viewer) => showProfile(call, viewer)),
  },
  { method: 'POST', path: '/welcome', personal, upload: fileBytes, handle: forViewer(saveProfile) },
  { method: 'GET', path: '/welcome/topics', personal, handle: forViewer(showTopics) },
  { method: 'POST', path: '/welcome/topics', personal, handle: forViewer(saveTopics) },
  { method: 'GET', path: '/welcome/people', personal, handle: forViewer(showPeople) },
  { method: 'POST', path: '/welcome/people', personal, handle: forViewer(savePeople) },
]
