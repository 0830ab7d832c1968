import {
  createUsernameBlock,
  deleteUsernameBlock,
  findUsernameBlock,
  listUsernameBlocks,
} from '#domain/identity/sign-up-restrictions/username-blocks.ts'
import { jsonOption, type Command, type Group } from '../kit/command.ts'
import { listAll } from '../kit/list-all.ts'
import { printList } from '../kit/table.ts'
import { withContext } from '../kit/with-context.ts'

const add: Command = {
  summary: 'Keeps user names back, also where digits stand for their letters',
  args: ['NAME...'],
  options: {
    contains: { help: 'Also all names that contain them' },
    'allow-with-approval': { help: 'People may sign up with them, and wait for approval' },
  },
  async run({ args, env, flag }) {
    await withContext(env, async ({ ctx }) => {
      for (const username of args) {
        if (await findUsernameBlock(ctx, username)) {
          console.log(`${username}\tis blocked already`)
          continue
        }
        await createUsernameBlock(ctx, 'operator', {
          username,
          comparison: flag('contains') ? 'contains' : 'equals',
          allowWithApproval: flag('allow-with-approval'),
        })
        console.log(`${username}\tOK`)
      }
    })
  },
}

const remove: Command = {
  summary: 'Gives user names free again',
  args: ['NAME...'],
  options: { 'dry-run': { help: 'Only say what would go' } },
  async run({ args, env, flag }) {
    await withContext(env, async ({ ctx }) => {
      for (const username of args) {
        const known = await findUsernameBlock(ctx, username)
        if (known && !flag('dry-run')) await deleteUsernameBlock(ctx, 'operator', known.id)
        console.log(`${username}\t${known ? (flag('dry-run') ? 'Would be lifted' : 'OK') : 'is not blocked'}`)
      }
    })
  },
}

const list: Command = {
  summary: 'Lists them, newest first',
  options: { json: jsonOption },
  async run({ env, flag }) {
    const rows = await withContext(env, ({ ctx }) => listAll((page) => listUsernameBlocks(ctx, page)))
    if (flag('json')) return console.log(JSON.stringify(rows))
    printList(
      ['name', 'comparison', 'effect'],
      rows.map((row) => [
        row.username,
        row.comparison,
        row.allow_with_approval ? 'with approval' : 'blocked',
      ]),
    )
  },
}

export const usernameBlocks: Group = {
  summary: 'User names that people cannot have, besides reserved ones',
  commands: { add, list, remove },
}
