// What only those who run the server need: queues, disk, and what `stonechat doctor` last found.
import { statfs } from 'node:fs/promises'
import { html } from 'hono/html'
import { findFindings, type Findings } from '#domain/maintenance/dashboard/findings.ts'
import { countWaitingWork } from '#domain/server/instance/waiting-work.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { formatSize } from '#views/maintenance/admin-dashboard.ts'
import { renderForm } from '../../kit/form.ts'
import type { Html } from '../../kit/html.ts'
import type { DeskCall } from '../kit/admin-page.ts'
import { renderBadge, renderMoment, renderPanel } from '../kit/parts.ts'
import { renderFacts } from '../kit/table.ts'

export const doctorPath = '/admin/dashboard/doctor'

/** Shown to those who may look into the machine. */
export async function renderMachine(call: DeskCall): Promise<Html> {
  const t = textsIn(call.language).pages.admin.dashboard
  const work = await countWaitingWork(call.ctx)
  const number = new Intl.NumberFormat(call.language)
  const queues = renderFacts([
    [t.events, number.format(work.eventsWaiting)],
    [t.oldest, t.seconds({ count: Math.round(work.oldestEventAge) })],
    [t.jobs, number.format(work.jobsWaiting)],
    [t.jobsLater, number.format(work.jobsScheduled)],
    [t.jobsRunning, number.format(work.jobsRunning)],
    [t.failed, html`<a href="/admin/jobs">${number.format(work.eventsFailed + work.jobsFailed)}</a>`],
  ])
  return html`<div class="panels">
      ${renderPanel(t.queues, queues)} ${renderPanel(t.disk, await renderDisk(call))}
    </div>
    ${renderPanel(t.findings, renderFindings(call, await findFindings(call.ctx)))}`
}

const tones = { ok: 'good', warning: 'main', problem: 'alarm' } as const

/** They are in English, as on the command line. */
function renderFindings(call: DeskCall, found: Findings | null): Html {
  const t = textsIn(call.language).pages.admin.dashboard
  const look = renderForm(call, { action: doctorPath, fields: [], submit: t.look, quiet: true })
  if (found === null)
    return html`<p class="soft">${t.notLooked}</p>
      ${look}`
  return html`<p class="soft">${t.lookedAt} ${renderMoment(call, new Date(found.at))}</p>
    <ul class="rows">
      ${found.findings.map(
        ({ part, state, text, advice }) =>
          html`<li>
            <span lang="en"
              ><code>${part}</code> ${text}${advice === null ? '' : html`: <strong>${advice}</strong>`}</span
            >
            ${renderBadge(t.findingStates[state], tones[state])}
          </li>`,
      )}
    </ul>
    ${look}`
}

async function renderDisk(call: DeskCall): Promise<Html> {
  const t = textsIn(call.language).pages.admin.dashboard
  const disk = await statfs(call.ctx.config.dataDir).catch(() => null)
  if (disk === null) return html`<p class="soft">${t.noNumbers}</p>`
  return renderFacts([
    [t.free, formatSize(disk.bavail * disk.bsize)],
    [t.whole, formatSize(disk.blocks * disk.bsize)],
  ])
}
