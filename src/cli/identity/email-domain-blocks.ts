import {
  createEmailDomainBlock,
  deleteEmailDomainBlock,
  findEmailDomainBlock,
  listEmailDomainBlocks,
} from '#domain/identity/sign-up-restrictions/email-domain-blocks.ts'
import { jsonOption, type Command, type Group } from '../kit/command.ts'
import { listAll } from '../kit/list-all.ts'
import { printList } from '../kit/table.ts'
import { withContext } from '../kit/with-context.ts'

const add: Command = {
  summary: 'Blocks e-mail domains, those below them, and those whose mail goes to them',
  args: ['DOMAIN...'],
  options: {
    'allow-with-approval': { help: 'People with such addresses may sign up, and wait for approval' },
    'with-dns-records': { help: 'Also block the hosts that take their mail now' },
  },
  async run({ args, env, flag }) {
    await withContext(env, async ({ ctx }) => {
      for (const domain of args) {
        if (await findEmailDomainBlock(ctx, domain)) {
          console.log(`${domain}\tis blocked already`)
          continue
        }
        await createEmailDomainBlock(ctx, 'operator', {
          domain,
          allowWithApproval: flag('allow-with-approval'),
          withMailHosts: flag('with-dns-records'),
        })
        console.log(`${domain}\tOK`)
      }
    })
  },
}

const remove: Command = {
  summary: 'Lifts blocks of e-mail domains, with those that came with them',
  args: ['DOMAIN...'],
  options: { 'dry-run': { help: 'Only say what would go' } },
  async run({ args, env, flag }) {
    await withContext(env, async ({ ctx }) => {
      for (const domain of args) {
        const known = await findEmailDomainBlock(ctx, domain)
        if (known && !flag('dry-run')) await deleteEmailDomainBlock(ctx, 'operator', known.id)
        console.log(`${domain}\t${known ? (flag('dry-run') ? 'Would be lifted' : 'OK') : 'is not blocked'}`)
      }
    })
  },
}

const list: Command = {
  summary: 'Lists blocks; what came with another one stands below it',
  options: { json: jsonOption },
  async run({ env, flag }) {
    const rows = await withContext(env, ({ ctx }) => listAll((page) => listEmailDomainBlocks(ctx, page)))
    if (flag('json')) {
      return console.log(JSON.stringify(rows.map(({ history: _, ...row }) => row)))
    }
    const effect = (row: (typeof rows)[number]) => (row.allow_with_approval ? 'with approval' : 'blocked')
    const below = Map.groupBy(rows, (row) => row.parent_id)
    const ordered = (below.get(null) ?? []).flatMap((parent) => [
      [parent.domain, effect(parent)],
      ...(below.get(parent.id) ?? []).map((child) => [`  ${child.domain}`, effect(child)]),
    ])
    printList(['domain', 'effect'], ordered)
  },
}

export const emailDomainBlocks: Group = {
  summary: 'E-mail domains with which nobody signs up',
  commands: { add, list, remove },
}
