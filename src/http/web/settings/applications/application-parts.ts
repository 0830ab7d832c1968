// What the pages about applications of one's own share: their form, and what is told once.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import type { Application, NewApplication } from '#domain/identity/oauth/applications.ts'
import type { ToldSecrets } from '#domain/identity/oauth/own-applications.ts'
import { apiScopes, scopeGroups } from '#domain/identity/oauth/scopes.ts'
import { renderCheckbox, renderField, renderForm, textParam } from '#http/web/kit/form.ts'
import type { Html } from '#http/web/kit/html.ts'
import type { PageCall } from '#http/web/kit/page.ts'
import { scopeText } from '#http/web/sign-in/scope-text.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { outOfBand } from '#lib/net/redirect-uri.ts'

export const applicationsPath = '/settings/applications'

export type Entered = Pick<Application, 'name' | 'website' | 'redirectUris' | 'scopes'>

export const nothingEntered: Entered = {
  name: '',
  website: null,
  redirectUris: [outOfBand],
  scopes: ['read'],
}

/** What was sent, as it is shown again where it was wrong. */
export function readEntered({ params }: PageCall): Entered {
  return {
    name: textParam(params, 'name'),
    website: textParam(params, 'website') || null,
    redirectUris: textParam(params, 'redirect_uris').split(/\s+/).filter(Boolean),
    scopes: apiScopes.filter((scope) => textParam(params, 'scopes', scope) === '1'),
  }
}

export const toInput = ({ website, ...entered }: Entered): NewApplication => ({
  ...entered,
  website: website ?? undefined,
})

/** `problem`: what was wrong with what is entered. */
export function renderApplicationForm(
  call: PageCall,
  viewer: Viewer,
  form: { action: string; entered: Entered; submit: string; problem?: string | undefined },
): Html {
  const t = textsIn(call.language).pages.applications
  const { name, website, redirectUris, scopes } = form.entered
  return renderForm(call, {
    action: form.action,
    submit: form.submit,
    problem: form.problem ?? null,
    fields: [
      renderField({ name: 'name', label: t.name, value: name, maxLength: 60 }),
      renderField({ name: 'website', label: t.website, value: website ?? '', required: false }),
      renderField({
        name: 'redirect_uris',
        label: t.redirects,
        hint: t.redirectsHint({ address: outOfBand }),
        value: redirectUris.join('\n'),
        rows: 3,
      }),
      html`<fieldset>
        <legend>${t.scopes}</legend>
        ${groupsFor(viewer).map(([parent, parts]) => renderScopes(call, { parent, parts, chosen: scopes }))}
      </fieldset>`,
    ],
  })
}

/** Who has no role has no use for scopes of staff. */
const groupsFor = ({ rank }: Viewer) =>
  scopeGroups.filter(([parent]) => rank >= 0 || !parent.startsWith('admin:'))

function renderScopes(
  call: PageCall,
  { parent, parts, chosen }: { parent: string; parts: readonly string[]; chosen: readonly string[] },
): Html {
  const t = textsIn(call.language).pages.applications
  const box = (scope: string) =>
    renderCheckbox({
      name: `scopes[${scope}]`,
      label: html`${scopeText(call.language, scope)} <code>${scope}</code>`,
      checked: chosen.includes(scope),
    })
  if (parts.length === 0) return box(parent)
  const isOpen = parts.some((scope) => chosen.includes(scope))
  return html`${box(parent)}
    <details ${isOpen ? html`open` : ''}>
      <summary>${t.finer({ scope: parent })}</summary>
      ${parts.map(box)}
    </details>`
}

/** Nothing where nothing is told. */
export function renderTold(call: PageCall, { clientSecret, token }: ToldSecrets): Html | string {
  if (clientSecret === undefined && token === undefined) return ''
  const t = textsIn(call.language).pages.applications
  const one = (label: string, secret: string | undefined) =>
    secret === undefined
      ? ''
      : html`<dt>${label}</dt>
          <dd><code class="secret">${secret}</code></dd>`
  return html`<div class="notice" role="status">
    <p>${t.toldOnce}</p>
    <dl>${one(t.clientSecret, clientSecret)} ${one(t.token, token)}</dl>
  </div>`
}
