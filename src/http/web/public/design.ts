// `/about/design`: what pages and app are made of, from client/tokens.css.
import { html, raw } from 'hono/html'
import { textsIn } from '#lib/messages/texts.ts'
import { designStylesheetUrl } from '../kit/assets.ts'
import { tokens, type Token } from '../kit/tokens.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { renderPublicPage } from './public-page.ts'
import type { Html } from '../kit/html.ts'

/** The kinds of tokens by how their names begin; what is left is a colour. */
const kinds = [
  { kind: 'type', names: /^(font|text|leading|medium|bold)/ },
  { kind: 'space', names: /^(space|target|measure)/ },
  { kind: 'shape', names: /^(round|hairline|shadow)/ },
  { kind: 'motion', names: /^(quick|calm|ease)/ },
] as const

const isColor = ({ name }: Token) => kinds.every(({ names }) => !names.test(name))

function renderTokens(some: readonly Token[]): Html {
  return html`<ul class="tokens">
    ${some.map(
      ({ name, value }) =>
        html`<li>
          <span class="token token-${raw(name)}" aria-hidden="true"></span>
          <span
            ><code>--${name}</code><small><code>${value}</code></small></span
          >
        </li>`,
    )}
  </ul>`
}

async function show(call: PageCall): Promise<Response> {
  const t = textsIn(call.language).pages.design
  return renderPublicPage(call, {
    title: t.title,
    head: html`<link rel="stylesheet" href="${designStylesheetUrl}" />`,
    body: html`<article class="text">
      <h1>${t.title}</h1>
      <p class="lead">${t.hint}</p>
      <h2>${t.color}</h2>
      ${renderTokens(tokens.filter(isColor))}
      ${kinds.map(
        ({ kind, names }) =>
          html`<h2>${t[kind]}</h2>
            ${renderTokens(tokens.filter(({ name }) => names.test(name)))}`,
      )}
      <h2>${t.parts}</h2>
      <p class="actions">
        <button type="button" class="main">${t.main}</button>
        <button type="button" class="quiet">${t.quiet}</button>
        <a href="#main">${t.link}</a>
      </p>
      <p class="notice">${t.notice}</p>
      <p class="problem">${t.problem}</p>
    </article>`,
  })
}

export const pages: readonly Page[] = [{ method: 'GET', path: '/about/design', handle: show }]
