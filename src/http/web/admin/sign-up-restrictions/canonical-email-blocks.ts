// Single addresses with which nobody signs up, known by their hashes alone.
import { html } from 'hono/html'
import {
  createCanonicalEmailBlock,
  deleteCanonicalEmailBlock,
  findCanonicalEmailBlocks,
  getCanonicalEmailBlock,
  listCanonicalEmailBlocks,
  type CanonicalEmailBlock,
} from '#domain/identity/sign-up-restrictions/canonical-email-blocks.ts'
import { asId, type CanonicalEmailBlockId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { textParam } from '../../kit/form.ts'
import { redirectWith } from '../../kit/flash.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { renderDesk } from '../kit/desk.ts'
import { attempt, renderFieldsForm, type Problems } from '../kit/fields.ts'
import { pageOf, renderPager } from '../kit/links.ts'
import { removeTicked } from '../kit/many.ts'
import { renderPanel } from '../kit/parts.ts'
import { renderBulk } from '../kit/table.ts'

const path = '/admin/canonical_email_blocks'
const permission = 'manage_blocks'
const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.canonicalEmailBlocks

interface Said {
  /** Whether the address that was asked about is blocked. */
  tested?: { email: string; blocked: boolean }
  problems?: Problems
}

async function show(call: DeskCall, { tested, problems }: Said = {}): Promise<Response> {
  const t = textsOf(call)
  const page = await listCanonicalEmailBlocks(call.ctx, pageOf(call))
  const answer = tested
    ? html`<p class="notice" role="status">
        ${tested.blocked ? t.isBlocked({ email: tested.email }) : t.isFree({ email: tested.email })}
      </p>`
    : ''
  const body = html`<p class="lead">${t.hint}</p>
    ${answer}
    <div class="panels">
      ${renderPanel(
        t.add,
        renderFieldsForm(call, {
          action: path,
          fields: [{ kind: 'text', name: 'canonical_email_hash', label: t.email, required: true }],
          entered: { canonical_email_hash: problems ? textParam(call.params, 'canonical_email_hash') : '' },
          problems,
          submit: t.add,
        }),
      )}
      ${renderPanel(
        t.test,
        renderFieldsForm(call, {
          action: `${path}/test`,
          fields: [{ kind: 'text', name: 'email', label: t.testEmail, required: true }],
          entered: { email: tested?.email ?? '' },
          submit: t.test,
        }),
      )}
    </div>
    ${renderBulk(call, tableOf(call, page.items), removal.form(call))} ${renderPager(call, page)}`
  return renderDesk(call, {
    title: t.title,
    body,
    trail: [['/admin/email_domain_blocks', textsIn(call.language).pages.admin.sections.email_domain_blocks]],
    ...(problems && { status: 422 }),
  })
}

const shortHash = ({ canonical_email_hash: hash }: CanonicalEmailBlock) => `${hash.slice(0, 16)}…`

function tableOf(call: DeskCall, rows: readonly CanonicalEmailBlock[]) {
  const t = textsOf(call)
  return {
    caption: t.title,
    columns: [{ label: t.hash }, { label: t.because }],
    rows: rows.map((row) => ({
      id: row.id,
      label: shortHash(row),
      cells: [
        html`<code title="${row.canonical_email_hash}">${shortHash(row)}</code>`,
        row.reference_account_id === null
          ? t.byStaff
          : html`<a href="/admin/accounts/${row.reference_account_id}">${t.bySuspension}</a>`,
      ],
    })),
    none: t.none,
  }
}

async function add(call: DeskCall): Promise<Response> {
  const given = textParam(call.params, 'canonical_email_hash').trim()
  const isHash = /^[0-9a-f]{64}$/i.test(given)
  const result = await attempt(call, () =>
    createCanonicalEmailBlock(call.ctx, call.viewer, isHash ? { hash: given } : { email: given }),
  )
  if ('problems' in result) return show(call, { problems: result.problems })
  return redirectWith(call, path, { text: textsOf(call).added })
}

async function test(call: DeskCall): Promise<Response> {
  const email = textParam(call.params, 'email').trim()
  const found = email === '' ? [] : await findCanonicalEmailBlocks(call.ctx, email)
  return show(call, { tested: { email, blocked: found.length > 0 } })
}

const removal = removeTicked({
  path,
  permission,
  nameOf: async (call, id) =>
    shortHash(await getCanonicalEmailBlock(call.ctx, asId<CanonicalEmailBlockId>(id))),
  remove: (call, id) => deleteCanonicalEmailBlock(call.ctx, call.viewer, asId<CanonicalEmailBlockId>(id)),
  consequence: (call) => textsOf(call).removal,
})

export const pages = [
  adminPage({ path: '/admin/canonical_email_blocks', permission, handle: (call) => show(call) }),
  adminPage({ method: 'POST', path: '/admin/canonical_email_blocks', permission, handle: add }),
  adminPage({ method: 'POST', path: '/admin/canonical_email_blocks/test', permission, handle: test }),
  ...removal.pages,
]
