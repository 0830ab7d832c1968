// Between the link of the mail and the confirmation: a page on which somebody shows that they are no robot. Who has no scripts
// goes on without, and staff look at the account.
import { html } from 'hono/html'
import { makeProofOfWork } from '#domain/identity/accounts/registration/robot-check.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { RobotCheck } from '#ports/ctx.ts'
import { proofOfWorkUrl } from '../kit/assets.ts'
import { hiddenFields, textParam } from '../kit/form.ts'
import type { Html } from '../kit/html.ts'
import { renderPage, type PageContent } from '../kit/layout.ts'
import type { PageCall } from '../kit/page.ts'

const robotCheckPath = '/auth/confirmation/proof'
/** Where the widget and what it loads come from (https://docs.hcaptcha.com/#content-security-policy-settings). */
const hcaptchaHosts = ['https://hcaptcha.com', 'https://*.hcaptcha.com']

/** The answer that the page sent. '' for whoever goes on without. */
export const robotAnswer = ({ params }: PageCall): string =>
  textParam(params, 'altcha') || textParam(params, 'h-captcha-response')

/** The page. `problem`: why it is shown again. */
export async function renderRobotCheck(
  call: PageCall,
  check: RobotCheck,
  token: string,
  problem: string | null = null,
): Promise<Response> {
  const t = textsIn(call.language).pages.robots
  const { work, parts, content } =
    check.kind === 'altcha' ? await forAltcha(call, check, token) : forHcaptcha(call, check)
  const hidden = { confirmation_token: token, ...(check.kind === 'altcha' && { altcha: '' }) }
  const body = html`<p>${t.hint}</p>
    ${problem === null ? '' : html`<p class="problem" role="alert">${problem}</p>`}
    <form method="post" action="${robotCheckPath}" accept-charset="utf-8" ${work}>
      ${hiddenFields(call.ctx, call.browser, hidden)} ${parts}
      <div data-told="without">
        <p class="soft">${t.withoutHint}</p>
        <button type="submit" class="quiet" name="without" value="1">${t.without}</button>
      </div>
    </form>`
  return renderPage(call, { title: t.title, body, status: problem === null ? 200 : 422, ...content })
}

interface Widget {
  work: Html | string
  parts: Html
  content: Partial<PageContent>
}

async function forAltcha(
  call: PageCall,
  { maxNumber }: { maxNumber: number },
  token: string,
): Promise<Widget> {
  const t = textsIn(call.language).pages.robots
  return {
    work: html`data-work="${await makeProofOfWork(call.ctx, token, maxNumber)}"`,
    parts: html`<p data-told="working" role="status" hidden>
      <label>${t.working} <progress data-told="progress" value="0"></progress></label>
    </p>`,
    content: { script: proofOfWorkUrl },
  }
}

function forHcaptcha(call: PageCall, { siteKey }: { siteKey: string }): Widget {
  const t = textsIn(call.language).pages.robots
  return {
    work: '',
    parts: html`<div class="h-captcha" data-sitekey="${siteKey}"></div>
      <button type="submit" class="main">${t.goOn}</button>`,
    content: {
      head: html`<script src="https://js.hcaptcha.com/1/api.js?hl=${call.language}" async defer></script>`,
      widgetHosts: hcaptchaHosts,
    },
  }
}
