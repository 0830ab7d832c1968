// Something that people are led through step by step.
import { html } from 'hono/html'
import type { Html } from './html.ts'

/** Seconds after which a page about something that runs is asked for again. */
const again = '5'

/** The steps by their names, and at which of them one is. */
export function renderSteps(names: readonly string[], at: number): Html {
  return html`<ol class="steps">
    ${names.map(
      (name, index) =>
        html`<li ${index < at ? html`data-state="done"` : index === at ? html`aria-current="step"` : ''}>
          ${name}
        </li>`,
    )}
  </ol>`
}

/** How far something is, in a bar and in words. */
export function renderProgress(
  label: string,
  { done, all }: { done: number; all: number },
  told: Html | string,
): Html {
  return html`<p>
    <progress max="${Math.max(all, 1)}" value="${Math.min(done, all)}" aria-label="${label}"></progress>
    ${told}
  </p>`
}

/** Has the browser ask for a page again by itself, so that it is told without scripts too how far something is. */
export function askedAgain(response: Response): Response {
  response.headers.set('refresh', again)
  return response
}
