// Names that nobody can take, or only with approval.
import { html } from 'hono/html'
import {
  comparisons,
  createUsernameBlock,
  deleteUsernameBlock,
  getUsernameBlock,
  listUsernameBlocks,
  updateUsernameBlock,
  type UsernameBlock,
} from '#domain/identity/sign-up-restrictions/username-blocks.ts'
import { asId, type UsernameBlockId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { DeskCall } from '../kit/admin-page.ts'
import { boxed, isTicked, textOf, type Entered } from '../kit/fields.ts'
import { pageOf, renderPager } from '../kit/links.ts'
import { removeTicked } from '../kit/many.ts'
import { resourcePages, type Resource } from '../kit/resource.ts'
import { renderBulk } from '../kit/table.ts'

const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.usernameBlocks

const resource: Resource<UsernameBlock> = {
  path: '/admin/username_blocks',
  permission: 'manage_blocks',
  words: (call) => ({
    title: textsIn(call.language).pages.admin.sections.username_blocks,
    hint: textsOf(call).hint,
    add: textsOf(call).add,
  }),
  list: showList,
  find: (call, id) => getUsernameBlock(call.ctx, asId<UsernameBlockId>(id)),
  nameOf: ({ username }) => username,
  fields: (call) => {
    const t = textsOf(call)
    return [
      { kind: 'text', name: 'username', label: t.username, hint: t.usernameHint, required: true },
      {
        kind: 'choice',
        name: 'comparison',
        label: t.comparison,
        choices: comparisons.map((value) => ({ value, label: t.comparisons[value] })),
      },
      { kind: 'box', name: 'allow_with_approval', label: t.approval },
    ]
  },
  enteredOf: (row) => ({
    username: row?.username ?? '',
    comparison: row?.comparison ?? 'equals',
    allow_with_approval: boxed(row?.allow_with_approval ?? false),
  }),
  async create(call, entered) {
    await createUsernameBlock(call.ctx, call.viewer, termsOf(entered))
  },
  async update(call, row, entered) {
    await updateUsernameBlock(call.ctx, call.viewer, row.id, termsOf(entered))
  },
  remove: {
    run: (call, row) => deleteUsernameBlock(call.ctx, call.viewer, row.id),
    consequences: (call) => [textsOf(call).removal],
  },
}

const termsOf = (entered: Entered) => ({
  username: textOf(entered, 'username'),
  comparison: comparisons.find((one) => one === textOf(entered, 'comparison')),
  allowWithApproval: isTicked(entered, 'allow_with_approval'),
})

async function showList(call: DeskCall) {
  const t = textsOf(call)
  const page = await listUsernameBlocks(call.ctx, pageOf(call))
  const table = {
    caption: resource.words(call).title,
    columns: [{ label: t.username }, { label: t.comparison }, { label: t.effect }],
    rows: page.items.map((row) => ({
      id: row.id,
      label: row.username,
      cells: [
        html`<a href="${resource.path}/${row.id}">${row.username}</a>`,
        t.comparisons[row.comparison],
        row.allow_with_approval ? t.approval : t.never,
      ],
    })),
    none: t.none,
  }
  return html`${renderBulk(call, table, removal.form(call))} ${renderPager(call, page)}`
}

const removal = removeTicked({
  path: '/admin/username_blocks',
  permission: 'manage_blocks',
  nameOf: async (call, id) => (await getUsernameBlock(call.ctx, asId<UsernameBlockId>(id))).username,
  remove: (call, id) => deleteUsernameBlock(call.ctx, call.viewer, asId<UsernameBlockId>(id)),
  consequence: (call) => textsOf(call).removal,
})

export const pages = [...resourcePages(resource), ...removal.pages]
