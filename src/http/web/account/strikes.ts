// What staff decided about whoever is signed in, or has the link of the mail that told them, and their objection to it.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { createAppeal, maxAppealText } from '#domain/trust/moderation/appeals.ts'
import {
  appealWindow,
  getStrike,
  getStrikeByToken,
  isAppealable,
  isInTime,
  listStrikes,
  type StrikeRow,
} from '#domain/trust/moderation/strikes.ts'
import { isAppError, notFound } from '#lib/errors.ts'
import { isId } from '#lib/ids.ts'
import { pickText, textsIn } from '#lib/messages/texts.ts'
import { renderField, renderForm, textParam } from '../kit/form.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { renderTime } from '../public/post-parts.ts'
import { signInPath } from '../kit/return-to.ts'
import { renderPosts, renderRules } from './strike-parts.ts'
import type { Html } from '../kit/html.ts'
import { asId, type AccountWarningId } from '#lib/id.ts'

const path = '/disputes/strikes'
const perPage = 40
const words = 'text'

const decisionOf = (call: PageCall, { action }: StrikeRow) => {
  const { decisions } = textsIn(call.language).pages.strikes
  return pickText(decisions, action) ?? { title: action, told: '' }
}

async function list(call: PageCall, viewer: Viewer): Promise<Response> {
  const t = textsIn(call.language).pages.strikes
  const before = textParam(call.params, 'max_id')
  const page = await listStrikes(call.ctx, viewer.accountId, {
    limit: perPage,
    maxId: isId(before) ? before : undefined,
  })
  const rows = page.items.map(
    (strike) =>
      html`<li>
        <a href="${path}/${strike.id}"><strong>${decisionOf(call, strike).title}</strong></a>
        <span class="soft"
          >${strike.appeal ? html`${t.badges[strike.appeal.state]} · ` : ''}${renderTime(
            call.language,
            strike.created_at.toISOString(),
          )}</span
        >
      </li>`,
  )
  const older = page.full ? html`<p><a href="${path}?max_id=${page.oldest}">${t.older}</a></p>` : ''
  const body = html`<p>${t.hint({ acct: viewer.username })}</p>
    ${
      rows.length === 0
        ? html`<p>${t.none}</p>`
        : html`<ul class="rows">
            ${rows}
          </ul>`
    }
    ${older}`
  return renderPage(call, { title: t.title, body, wide: true })
}

/** Which strike the page is about: by the link of the mail, for those who cannot sign in, or by the session. */
async function findStrike(call: PageCall): Promise<StrikeRow | Response> {
  const id = textParam(call.params, 'id')
  const token = textParam(call.params, 'token')
  if (!isId(id)) throw notFound()
  if (token !== '') return openWith(call, id, token)
  if (!call.viewer) return redirectTo(signInPath(`${path}/${id}`), 302)
  return getStrike(call.ctx, call.viewer.accountId, asId<AccountWarningId>(id))
}

/** The link opens nothing any more when it is too late to object; who can sign in still sees it all. */
async function openWith(call: PageCall, id: string, token: string): Promise<StrikeRow | Response> {
  try {
    return await getStrikeByToken(call.ctx, asId<AccountWarningId>(id), token)
  } catch (error) {
    if (!isAppError(error, 'not_found')) throw error
    return redirectTo(call.viewer ? `${path}/${id}` : signInPath(`${path}/${id}`), 302)
  }
}

async function show(call: PageCall): Promise<Response> {
  const strike = await findStrike(call)
  return strike instanceof Response ? strike : render(call, strike)
}

async function render(call: PageCall, strike: StrikeRow, problem?: string): Promise<Response> {
  const t = textsIn(call.language).pages.strikes
  const { title, told } = decisionOf(call, strike)
  const back = call.viewer && textParam(call.params, 'token') === ''
  const body = html`<p class="soft">${renderTime(call.language, strike.created_at.toISOString(), 'exact')}</p>
    <p>${told}</p>
    ${strike.overruled_at ? html`<p class="notice" role="status">${t.overruled}</p>` : ''}
    ${
      strike.text === ''
        ? ''
        : html`<h2>${t.says}</h2>
            <blockquote><span class="said" dir="auto">${strike.text}</span></blockquote>`
    }
    ${await renderRules(call, strike)} ${await renderPosts(call, strike)}
    ${renderAppeal(call, strike, problem)}
    ${
      back
        ? html`<ul class="links">
            <li><a href="${path}">${t.all}</a></li>
          </ul>`
        : ''
    }`
  return renderPage(call, { title, body, wide: true, status: problem ? 422 : 200 })
}

function renderAppeal(call: PageCall, strike: StrikeRow, problem?: string): Html | string {
  const t = textsIn(call.language).pages.strikes
  if (strike.appeal) {
    return html`<h2>${t.yours}</h2>
      <blockquote><span class="said" dir="auto">${strike.appeal.text}</span></blockquote>
      <p class="notice" role="status">${t.states[strike.appeal.state]}</p>`
  }
  if (!isAppealable(call.ctx, strike)) {
    return isInTime(call.ctx, strike) ? '' : html`<p class="soft">${t.late}</p>`
  }
  const until = new Date(strike.created_at.getTime() + appealWindow).toISOString()
  const field = renderField({
    name: words,
    label: t.words,
    hint: t.most({ n: maxAppealText }),
    problem,
    value: textParam(call.params, words),
    rows: 6,
  })
  const form = renderForm(call, {
    action: `${path}/${strike.id}/appeal`,
    hidden: { token: textParam(call.params, 'token') || undefined },
    fields: [field],
    submit: t.submit,
  })
  const [beforeDay, afterDay] = t.appealHint({ until: '\0' }).split('\0')
  return html`<h2>${t.appealTitle}</h2>
    <p>${beforeDay}${renderTime(call.language, until)}${afterDay}</p>
    ${form}`
}

async function appeal(call: PageCall): Promise<Response> {
  const strike = await findStrike(call)
  if (strike instanceof Response) return strike
  const said = textParam(call.params, words)
  try {
    await createAppeal(call.ctx, strike.target_account_id, strike.id, said)
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error
    return render(call, strike, problemOf(call, said))
  }
  const token = textParam(call.params, 'token')
  return redirectTo(`${path}/${strike.id}${token === '' ? '' : `?${new URLSearchParams({ token })}`}`)
}

function problemOf(call: PageCall, said: string): string {
  const { problems } = textsIn(call.language).pages.strikes
  if (said.trim() === '') return problems.blank
  return [...said.trim()].length > maxAppealText ? problems.long({ n: maxAppealText }) : problems.other
}

export const pages: readonly Page[] = [
  {
    method: 'GET',
    path: '/disputes/strikes',
    handle: async (call) => (call.viewer ? list(call, call.viewer) : redirectTo(signInPath(path), 302)),
  },
  { method: 'GET', path: '/disputes/strikes/:id{[0-9]+}', handle: show },
  { method: 'POST', path: '/disputes/strikes/:id{[0-9]+}/appeal', handle: appeal },
]
