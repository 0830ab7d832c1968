// Accounts that are recommended to newcomers because they are popular here, and those that staff took out.
import {
  listRecommendations,
  suppressRecommendation,
  unsuppressRecommendation,
} from '#domain/reading/suggestions/suppress.ts'
import { asId, type AccountId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewAccount } from '#views/identity/accounts.ts'
import { viewRecommendations } from '#views/reading/suggestions.ts'
import { html } from 'hono/html'
import { numberText } from '../../public/post-parts.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { renderDesk } from '../kit/desk.ts'
import { offsetOf, perPage, renderOffsetPager } from '../kit/links.ts'
import { actOnTicked } from '../kit/many.ts'
import { renderPerson, renderTabs } from '../kit/parts.ts'
import { renderBulk } from '../kit/table.ts'

const path = '/admin/follow_recommendations'
const permission = 'manage_taxonomies'
const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.recommendations

const isSuppressed = (call: DeskCall) => call.url.searchParams.get('status') === 'suppressed'

async function show(call: DeskCall): Promise<Response> {
  const t = textsOf(call)
  const suppressed = isSuppressed(call)
  const found = await listRecommendations(call.ctx, { suppressed, limit: perPage, offset: offsetOf(call) })
  const rows = await viewRecommendations(call.ctx, found)
  const table = {
    caption: suppressed ? t.suppressed : t.recommended,
    columns: [{ label: t.account }, { label: t.followers }, { label: t.fans }],
    rows: rows.map(({ account, active_followers: followers, active_fans: fans }) => ({
      id: account.id,
      label: `@${account.acct}`,
      cells: [
        renderPerson(call, account),
        numberText(call.language, followers),
        numberText(call.language, fans),
      ],
    })),
    none: suppressed ? t.noneSuppressed : t.none,
  }
  const tabs = renderTabs(call, [
    { label: t.recommended, changes: { status: null } },
    { label: t.suppressed, changes: { status: 'suppressed' } },
  ])
  const { action, actions } = deciding.form(call)
  const wanted = suppressed ? 'unsuppress' : 'suppress'
  const form = { action, actions: actions.filter(({ value }) => value === wanted) }
  const body = html`<p class="lead">${t.hint}</p>
    ${tabs} ${renderBulk(call, table, form)} ${renderOffsetPager(call, found.length)}`
  return renderDesk(call, {
    title: t.title,
    body,
    trail: [['/admin/trends', textsIn(call.language).pages.admin.sections.trends]],
  })
}

const nameOf = async (call: DeskCall, id: string) =>
  `@${(await viewAccount(call.ctx, asId<AccountId>(id))).acct}`

const deciding = actOnTicked({
  path,
  permission,
  nameOf,
  acts: {
    suppress: {
      label: (call) => textsOf(call).suppress,
      consequence: (call) => textsOf(call).suppressMeans,
      run: (call, id) => suppressRecommendation(call.ctx, call.viewer, asId<AccountId>(id)),
    },
    unsuppress: {
      label: (call) => textsOf(call).unsuppress,
      consequence: (call) => textsOf(call).unsuppressMeans,
      run: (call, id) => unsuppressRecommendation(call.ctx, call.viewer, asId<AccountId>(id)),
    },
  },
})

export const pages = [
  adminPage({ path: '/admin/follow_recommendations', permission, handle: (call) => show(call) }),
  ...deciding.pages,
]
