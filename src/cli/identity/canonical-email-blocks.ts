import {
  deleteCanonicalEmailBlocksOf,
  findCanonicalEmailBlocks,
} from '#domain/identity/sign-up-restrictions/canonical-email-blocks.ts'
import { jsonOption, type Command, type Group } from '../kit/command.ts'
import { withContext } from '../kit/with-context.ts'

const find: Command = {
  summary: 'Says whether an address is blocked, however it is written',
  args: ['EMAIL'],
  options: { json: jsonOption },
  async run({ args: [email = ''], env, flag }) {
    const found = await withContext(env, ({ ctx }) => findCanonicalEmailBlocks(ctx, email))
    if (flag('json')) return console.log(JSON.stringify(found))
    console.log(found.length > 0 ? `${email} is blocked` : `${email} is not blocked`)
  },
}

const remove: Command = {
  summary: 'Lifts the block of an address',
  args: ['EMAIL'],
  options: { 'dry-run': { help: 'Only say what would go' } },
  async run({ args: [email = ''], env, flag }) {
    const lifted = await withContext(env, async ({ ctx }) =>
      flag('dry-run')
        ? (await findCanonicalEmailBlocks(ctx, email)).length > 0
        : deleteCanonicalEmailBlocksOf(ctx, 'operator', email),
    )
    const outcome = flag('dry-run') ? 'Would be lifted' : 'OK'
    console.log(lifted ? outcome : `${email} is not blocked`)
  },
}

export const canonicalEmailBlocks: Group = {
  summary: 'Addresses that nobody signs up with again, kept as hashes',
  commands: { find, remove },
}
