// Pages of one's own that say so (rel=me), and sites that may name somebody as an author.
import { html } from 'hono/html'
import { requestLinkCheck } from '#domain/identity/accounts/profile/verify-links.ts'
import { updateProfile } from '#domain/identity/accounts/profile/update-profile.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { profileUrl } from '#domain/server/instance/urls.ts'
import type { Profile } from '#entities/account.ts'
import { renderPart } from '#http/web/kit/controls.ts'
import { forViewerAt } from '#http/web/kit/for-viewer.ts'
import { renderField, renderForm, textParam } from '#http/web/kit/form.ts'
import type { Html } from '#http/web/kit/html.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { renderTime } from '#http/web/public/post-parts.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewProfile } from '#views/identity/profile.ts'
import { leadToSaved, renderSettings, saveAndReturn } from '../settings-page.ts'

const path = '/settings/verification'
const checkPath = '/settings/verification/check'

interface Refused {
  entered: string
  problem: string
}

async function show(call: PageCall, viewer: Viewer, refused?: Refused): Promise<Response> {
  const t = textsIn(call.language).pages.settings
  const profile = await viewProfile(call.ctx, viewer.accountId)
  const body = html`${renderLinks(call, viewer, profile)}
  ${renderAuthorship(call, viewer, { profile, refused })}`
  return renderSettings(call, { title: t.places[path].name, body, problem: refused?.problem })
}

function renderLinks(call: PageCall, { username }: Viewer, { fields }: Profile): Html {
  const t = textsIn(call.language).pages.settings.verification
  const url = profileUrl(call.ctx.config, username)
  const link = `<a rel="me" href="${url}">${url}</a>`
  const links = fields.filter(({ value }) => /^https?:\/\/\S+$/i.test(value))
  const rows = links.map(
    ({ name, value, verified_at: time }) =>
      html`<li>
        <div>
          <strong><bdi>${name}</bdi></strong> <span class="soft"><bdi>${value}</bdi></span>
        </div>
        ${time ? html`<span class="good">${t.verified} ${renderTime(call.language, time)}</span>` : t.waiting}
      </li>`,
  )
  return html`<p>${t.hint}</p>
    <ol class="steps">
      <li>
        <p>${t.stepLink}</p>
        <code class="secret">${link}</code>
        <p class="soft">${t.stepHead}</p>
      </li>
      <li>
        <p>${t.stepField} <a href="/settings/profile#fields">${t.toFields}</a></p>
      </li>
    </ol>
    ${
      links.length === 0
        ? html`<p class="notice">${t.none}</p>`
        : html`<h2>${t.yours}</h2>
            <ul class="rows">
              ${rows}
            </ul>
            ${renderForm(call, { action: checkPath, fields: [], submit: t.check, quiet: true })}`
    }`
}

function renderAuthorship(
  call: PageCall,
  { username }: Viewer,
  { profile, refused }: { profile: Profile; refused?: Refused | undefined },
): Html {
  const t = textsIn(call.language).pages.settings
  const mark = `<meta name="fediverse:creator" content="@${username}@${call.ctx.config.localDomain}" />`
  return renderPart({
    id: 'authorship',
    title: t.verification.authorship,
    hint: t.verification.authorshipHint,
    fields: [
      html`<code class="secret">${mark}</code>`,
      renderForm(call, {
        action: path,
        problem: refused?.problem ?? null,
        fields: [
          renderField({
            name: 'attribution_domains',
            label: t.verification.domains,
            hint: t.verification.domainsHint,
            value: refused?.entered ?? profile.attribution_domains.join('\n'),
            required: false,
            rows: 4,
          }),
        ],
        submit: t.save,
      }),
    ],
  })
}

async function save(call: PageCall, viewer: Viewer): Promise<Response> {
  const entered = textParam(call.params, 'attribution_domains')
  return saveAndReturn(
    call,
    path,
    () => updateProfile(call.ctx, viewer, { attributionDomains: [entered] }),
    (problem) => show(call, viewer, { entered, problem }),
  )
}

async function check(call: PageCall, viewer: Viewer): Promise<Response> {
  await requestLinkCheck(call.ctx, viewer.accountId)
  return leadToSaved(path)
}

const forViewer = forViewerAt(path)

export const pages: readonly Page[] = [
  { method: 'GET', path: '/settings/verification', handle: forViewer((call, viewer) => show(call, viewer)) },
  { method: 'POST', path: '/settings/verification', handle: forViewer(save) },
  { method: 'POST', path: '/settings/verification/check', handle: forViewer(check) },
]
