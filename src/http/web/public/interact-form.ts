// How strangers follow, answer and vote from where they have an account: a form that asks for their server.
import { html } from 'hono/html'
import type { Language } from '#lib/messages/catalogue.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { Html } from '../kit/html.ts'

/** What somebody wants to do; the texts of the button and of the page behind it. */
export const interactions = ['follow', 'reply', 'vote'] as const
export type Interaction = (typeof interactions)[number]

/** A button that unfolds the form. `uri`: of the account or post. */
export function renderInteractForm(language: Language, act: Interaction, uri: string): Html {
  const t = textsIn(language).pages.remote
  return html`<details class="remote">
    <summary class="button${act === 'follow' ? '' : ' quiet'}">${t[act]}</summary>
    ${renderServerForm(language, { act, uri })}
  </details>`
}

/** The form by itself. It changes nothing here, so that pages with it can be kept by caches. */
export function renderServerForm(
  language: Language,
  { act, uri, acct = '', problem = '' }: { act: Interaction; uri: string; acct?: string; problem?: string },
): Html {
  const t = textsIn(language).pages.remote
  return html`<form method="get" action="/interact">
    ${problem === '' ? '' : html`<p class="problem" role="alert">${problem}</p>`}
    <input type="hidden" name="act" value="${act}" />
    <input type="hidden" name="uri" value="${uri}" />
    <label>
      ${t.server}
      <input
        type="text"
        name="acct"
        value="${acct}"
        placeholder="${t.example}"
        autocapitalize="none"
        autocomplete="off"
        spellcheck="false"
        required
      />
    </label>
    <small>${t.hint}</small>
    <button type="submit" class="main">${t.goOn}</button>
    <p class="soft">${t.orHere} <a href="/auth/sign_in">${t.signIn}</a></p>
  </form>`
}
