// The page on which staff write down a decision about somebody: what it does, and what the person will read.
import { html } from 'hono/html'
import type { AdminAccount } from '#entities/admin/account.ts'
import type { Status } from '#entities/status.ts'
import { listWarningPresets, type WarningPreset } from '#domain/trust/moderation/warning-presets.ts'
import type { ActionInput } from '#domain/trust/moderation/take-action.ts'
import type { Decision } from '#domain/trust/moderation/warnings.ts'
import { toAction } from '#http/api/v1/admin/accounts/params.ts'
import { asId, type AccountId, type StatusId, type WarningPresetId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { isTicked } from '../../kit/controls.ts'
import { hiddenFields, renderCheckbox, renderField, renderSelect, textParam } from '../../kit/form.ts'
import type { Html } from '../../kit/html.ts'
import { renderPost } from '../../public/post.ts'
import type { DeskCall } from '../kit/admin-page.ts'
import { tickedIds } from '../kit/confirm.ts'
import { renderDesk } from '../kit/desk.ts'
import { optionalId, wordParam } from '../kit/params.ts'
import { renderPanel, renderPerson } from '../kit/parts.ts'

export const decisionTypes = [
  'none',
  'mark_statuses_as_sensitive',
  'delete_statuses',
  'sensitive',
  'silence',
  'disable',
  'suspend',
] as const satisfies Decision[]
export type DecisionType = (typeof decisionTypes)[number]

/** The key of each decision, where scripts run. */
export const decisionKeys: Readonly<Record<DecisionType, string>> = {
  none: 'w',
  mark_statuses_as_sensitive: 'm',
  delete_statuses: 'd',
  sensitive: 'n',
  silence: 'l',
  disable: 'x',
  suspend: 's',
}

const aboutStatuses: readonly DecisionType[] = ['mark_statuses_as_sensitive', 'delete_statuses']
export const isAboutStatuses = (type: DecisionType): boolean => aboutStatuses.includes(type)
const endless: readonly DecisionType[] = ['none', ...aboutStatuses]

const hour = 3600
const day = 24 * hour
/** Seconds after which a limit may end by itself. */
const ends = [6 * hour, day, 3 * day, 7 * day, 14 * day, 30 * day, 90 * day]

export interface Deciding {
  type: DecisionType
  target: AdminAccount
  /** Where the form is sent. */
  action: string
  back: string
  /** The pages above it. */
  trail: readonly (readonly [path: string, name: string])[]
  /** Posts that it may be about, all of them ticked. */
  statuses?: readonly Status[]
  /** Why it was refused. */
  problem?: string | null
}

/** What the form says, as the command takes it. Throws `invalid` for a time that is none. */
export function readDecision(call: DeskCall, accountId: AccountId): ActionInput {
  const type = wordParam(call, 'type', decisionTypes) ?? 'none'
  const expires = textParam(call.params, 'expires_in') || undefined
  const action = toAction(
    {
      id: accountId,
      // The words of the API lack what is done to statuses.
      type: isAboutStatuses(type) ? 'none' : (type as Exclude<DecisionType, (typeof aboutStatuses)[number]>),
      report_id: undefined,
      warning_preset_id: optionalId<WarningPresetId>(call, 'warning_preset_id'),
      text: textParam(call.params, 'text'),
      send_email_notification: isTicked(call.params, 'send_email_notification'),
      expires_in: endless.includes(type) ? undefined : expires,
      expires_at: undefined,
    } as Parameters<typeof toAction>[0],
    call.ctx.clock.now(),
  )
  const statusIds = tickedIds(call).map((id) => asId<StatusId>(id))
  return { ...action, type, ...(statusIds.length > 0 && { statusIds }) }
}

/** Whether the form only asks what the person would read. */
export const isPreview = (call: DeskCall): boolean => textParam(call.params, 'step') === 'preview'

/** The page, whole: with what was typed where it was sent before. */
export async function renderDecision(call: DeskCall, deciding: Deciding): Promise<Response> {
  const t = textsIn(call.language).pages.admin
  const { type, target, problem } = deciding
  const presets = await listWarningPresets(call.ctx)
  const body = html`<div class="panels">
    <section class="panel">
      ${renderPerson(call, target.account)}
      <p>${t.decisions[type].does}</p>
      ${problem ? html`<p class="problem" role="alert">${problem}</p>` : ''}
      ${renderDecisionForm(call, deciding, presets)}
    </section>
    ${target.domain === null ? renderLetter(call, deciding, presets) : renderPanel(t.decide.reads, t.decide.notTold)}
  </div>`
  return renderDesk(call, {
    title: `${t.decisions[type].name}: @${target.account.acct}`,
    body,
    trail: deciding.trail,
    withPosts: true,
    status: problem ? 422 : 200,
  })
}

function renderDecisionForm(
  call: DeskCall,
  { type, target, action, back, statuses = [] }: Deciding,
  presets: readonly WarningPreset[],
): Html {
  const t = textsIn(call.language).pages.admin
  const isLocal = target.domain === null
  const isSent = call.request.method === 'POST'
  return html`<form method="post" action="${action}">
    ${hiddenFields(call.ctx, call.browser, { type })} ${renderStatuses(call, statuses)}
    ${
      presets.length === 0
        ? ''
        : renderSelect({
            name: 'warning_preset_id',
            label: t.decide.preset,
            value: textParam(call.params, 'warning_preset_id'),
            choices: [
              { value: '', label: t.decide.noPreset },
              ...presets.map(({ id, title, text }) => ({ value: id, label: title || text.slice(0, 80) })),
            ],
          })
    }
    ${renderField({
      name: 'text',
      label: t.decide.text,
      hint: isLocal ? t.decide.textHint : t.decide.textHintRemote,
      rows: 5,
      required: false,
      value: textParam(call.params, 'text'),
    })}
    ${endless.includes(type) ? '' : renderEnds(call)}
    ${
      isLocal
        ? renderCheckbox({
            name: 'send_email_notification',
            label: t.decide.mail,
            checked: !isSent || isTicked(call.params, 'send_email_notification'),
          })
        : ''
    }
    <div class="actions">
      <button type="submit" name="step" value="decide" class="main alarming">${t.decisions[type].act}</button>
      ${isLocal ? html`<button type="submit" name="step" value="preview" class="quiet">${t.decide.preview}</button>` : ''}
      <a class="button quiet" href="${back}">${t.back}</a>
    </div>
  </form>`
}

function renderEnds(call: DeskCall): Html {
  const t = textsIn(call.language).pages.admin.decide
  return renderSelect({
    name: 'expires_in',
    label: t.ends,
    value: textParam(call.params, 'expires_in'),
    choices: [
      { value: '', label: t.noEnd },
      ...ends.map((seconds) => ({
        value: String(seconds),
        label: seconds < day ? t.hours({ count: seconds / hour }) : t.days({ count: seconds / day }),
      })),
    ],
  })
}

function renderStatuses(call: DeskCall, statuses: readonly Status[]): Html | string {
  if (statuses.length === 0) return ''
  const ticked = new Set(tickedIds(call))
  const isSent = ticked.size > 0
  return html`<fieldset>
    <legend>${textsIn(call.language).pages.admin.decide.posts}</legend>
    ${statuses.map(
      (status) =>
        html`<div class="choice">
          <input
            type="checkbox"
            name="ids[]"
            value="${status.id}"
            aria-labelledby="post-${status.id}"
            ${!isSent || ticked.has(status.id) ? html`checked` : ''}
          />
          ${renderPost(call.language, status)}
        </div>`,
    )}
  </fieldset>`
}

/** What the person is told, by mail and on their page of decisions. */
function renderLetter(call: DeskCall, { type, target }: Deciding, presets: readonly WarningPreset[]): Html {
  const all = textsIn(call.language)
  const t = all.pages.admin.decide
  const names = { server: call.ctx.config.localDomain, username: target.username }
  const preset = presets.find(({ id }) => id === textParam(call.params, 'warning_preset_id'))
  const words = [preset?.text, textParam(call.params, 'text').trim()].filter((part) => part)
  const letter = html`<blockquote>
      <p>${all.mails.warning.decisions[type].told(names)}</p>
      ${words.map((part) => html`<p class="said" dir="auto">${part}</p>`)}
    </blockquote>
    <p class="soft">${t.appeal}</p>
    ${presets.length === 0 ? '' : renderPresets(call, presets)}`
  return renderPanel(t.reads, letter)
}

const renderPresets = (call: DeskCall, presets: readonly WarningPreset[]): Html =>
  html`<details>
    <summary>${textsIn(call.language).pages.admin.decide.presets}</summary>
    ${presets.map(
      ({ title, text }) =>
        html`<h3>${title}</h3>
          <p class="said" dir="auto">${text}</p>`,
    )}
  </details>`
