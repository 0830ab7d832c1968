import { createInterface } from 'node:readline/promises'
import {
  describeSelfDestruction,
  selfDestruct,
  type SelfDestruction,
} from '#domain/maintenance/deletion/self-destruct.ts'
import { UsageError, type Command } from '../kit/command.ts'
import { createProgress } from '../kit/progress.ts'
import { withContext } from '../kit/with-context.ts'

export const selfDestructCommand: Command = {
  summary: 'Takes leave of the fediverse: deletes all accounts and has all other servers forget them',
  options: {
    confirm: { value: 'DOMAIN', help: 'The domain of this server, where nobody can be asked for it' },
    'dry-run': { help: 'Only say how many accounts and servers there are' },
  },
  async run({ env, text, flag }) {
    const before = await withContext(env, async ({ ctx }) => ({
      domain: ctx.config.localDomain,
      ...(await describeSelfDestruction(ctx)),
    }))
    if (flag('dry-run')) return console.log(describe(before))
    const typed = text('confirm') ?? (await askForDomain(before))
    if (typed !== before.domain)
      throw new UsageError(`${JSON.stringify(typed)} is not the domain of this server: nothing was done`)
    const progress = createProgress({ label: 'Accounts deleted', total: before.accounts })
    const { isOver, left } = await withContext(env, async ({ ctx }) => ({
      isOver: await selfDestruct(ctx, 'operator', { onDone: () => progress.advance() }),
      left: (await describeSelfDestruction(ctx)).accounts,
    }))
    progress.done()
    if (!isOver)
      throw new Error(`${left} accounts are left, but nothing is sent: run this again while the server runs`)
    console.log(farewell)
  },
}

const farewell = `All accounts are deleted, and nobody can sign in or sign up.
Let the server run until \`stonechat jobs waiting\` shows nothing due: only then do other servers know of it.`

const describe = ({ accounts, servers }: SelfDestruction) =>
  `Would delete ${accounts} accounts, of which ${servers} servers would be told`

/** Throws UsageError where nobody sits at a terminal. */
async function askForDomain(before: SelfDestruction & { domain: string }): Promise<string> {
  if (!process.stdin.isTTY)
    throw new UsageError('--confirm is missing: this deletes all accounts for good, and cannot be undone')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(
      `This deletes all ${before.accounts} accounts of this server for good, here and on ${before.servers} other\n` +
        'servers. It cannot be undone, and the domain cannot be used for another server of the fediverse.\n' +
        `Type ${before.domain} to go on: `,
    )
  } finally {
    terminal.close()
  }
}
