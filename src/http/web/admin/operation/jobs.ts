// What waits to be done, between this server and others too, and what was given up.
import { html } from 'hono/html'
import { countWaitingTraffic } from '#domain/federation/queue/waiting-traffic.ts'
import {
  countJobs,
  discardGivenUp,
  isWorkId,
  listGivenUp,
  retryGivenUp,
  type GivenUp,
} from '#domain/maintenance/jobs/given-up.ts'
import { countWaitingWork } from '#domain/server/instance/waiting-work.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { numberText } from '../../public/post-parts.ts'
import type { Html } from '../../kit/html.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { renderDesk } from '../kit/desk.ts'
import { actOnTicked } from '../kit/many.ts'
import { renderMoment, renderPanel } from '../kit/parts.ts'
import { renderBulk, renderFacts, renderTable } from '../kit/table.ts'

const permission = 'view_devops'
const path = '/admin/jobs'
const shown = 200

const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.jobs

async function show(call: DeskCall): Promise<Response> {
  const t = textsOf(call)
  const [work, traffic] = [await countWaitingWork(call.ctx), await countWaitingTraffic(call.ctx)]
  const given = await listGivenUp(call.ctx)
  const number = (count: number) => numberText(call.language, count)
  const facts = (pairs: readonly (readonly [string, number])[]) =>
    renderFacts(pairs.map(([name, count]) => [name, number(count)] as const))
  const failing = html`<p><a href="/admin/instances?health=failing&amp;order=failed">${t.toFailing}</a></p>`
  const body = html`<div class="panels">
      ${renderPanel(
        t.here,
        facts([
          [t.eventsWaiting, work.eventsWaiting],
          [t.oldestEvent, Math.round(work.oldestEventAge)],
          [t.jobsWaiting, work.jobsWaiting],
          [t.jobsRunning, work.jobsRunning],
          [t.jobsScheduled, work.jobsScheduled],
        ]),
      )}
      ${renderPanel(
        t.between,
        html`${facts([
          [t.incomingWaiting, traffic.incomingWaiting],
          [t.deliveriesDue, traffic.deliveriesDue],
          [t.deliveriesLater, traffic.deliveriesLater],
          [t.hostsHeld, traffic.hostsHeld],
          [t.hostsGivenUp, traffic.hostsGivenUp],
        ])}
        ${failing}`,
      )}
    </div>
    <h2>${t.givenUp}</h2>
    <p class="lead">${t.givenUpHint}</p>
    ${renderGivenUp(call, given)}
    <h2>${t.queued}</h2>
    ${await renderQueued(call)}`
  return renderDesk(call, { title: textsIn(call.language).pages.admin.sections.jobs, body })
}

const nameOf = ({ name, effect }: GivenUp) => (effect === null ? name : `${name} (${effect})`)

function renderGivenUp(call: DeskCall, given: readonly GivenUp[]): Html {
  const t = textsOf(call)
  const table = {
    caption: t.givenUp,
    columns: [
      { label: t.work },
      { label: t.error },
      { label: t.attempts, numeric: true },
      { label: t.since },
    ],
    rows: given.slice(0, shown).map((one) => ({
      id: one.id,
      label: one.id,
      cells: [
        html`<code>${nameOf(one)}</code><br /><small class="soft"><code>${one.id}</code></small>`,
        html`<code>${one.error?.split('\n')[0] ?? ''}</code>`,
        String(one.attempts),
        renderMoment(call, one.failedAt),
      ],
    })),
    none: t.none,
  }
  return renderBulk(call, table, many.form(call))
}

async function renderQueued(call: DeskCall): Promise<Html> {
  const t = textsOf(call)
  const jobs = await countJobs(call.ctx)
  const numeric = (label: string) => ({ label, numeric: true })
  return renderTable(call, {
    caption: t.queued,
    columns: [
      { label: t.work },
      numeric(t.jobsWaiting),
      numeric(t.jobsRunning),
      numeric(t.jobsScheduled),
      numeric(t.givenUp),
      { label: t.next },
    ],
    rows: jobs.map((job) => ({
      cells: [
        html`<code>${job.name}</code>`,
        ...[job.waiting, job.running, job.scheduled, job.failed].map(String),
        job.next_at === null ? '' : renderMoment(call, job.next_at),
      ],
    })),
    none: t.noneQueued,
  })
}

const many = actOnTicked({
  path,
  permission,
  isId: isWorkId,
  nameOf: async (_, id) => id,
  acts: {
    retry: {
      label: (call) => textsOf(call).retry,
      consequence: (call) => textsOf(call).retrying,
      run: (call, id) => retryGivenUp(call.ctx, call.viewer, [id]),
    },
    discard: {
      label: (call) => textsOf(call).discard,
      consequence: (call) => textsOf(call).discarding,
      alarming: true,
      run: (call, id) => discardGivenUp(call.ctx, call.viewer, [id]),
    },
  },
})

export const pages = [adminPage({ path: '/admin/jobs', permission, handle: show }), ...many.pages]
