// To another domain: docs/operators/domains.md has the whole way.
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { exportPeople } from '#domain/transfer/domain-change/export-people.ts'
import { importPeople } from '#domain/transfer/domain-change/import-people.ts'
import { movePeople } from '#domain/transfer/domain-change/move-people.ts'
import { requireOtherDomain } from '#domain/trust/moderation/hosts/host-blocks.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Command, Group } from '../kit/command.ts'
import { createProgress } from '../kit/progress.ts'
import { withContext } from '../kit/with-context.ts'

const exportCommand: Command = {
  summary: 'On the old server: writes its people into a new file, for the server under the new name',
  args: ['FILE'],
  async run({ args, env }) {
    const people = await withContext(env, ({ ctx }) => writePeople(ctx, args[0] as string))
    console.log(`Written: ${people} people\nKeep the file secret: it has addresses and hashes of passwords`)
  },
}

async function writePeople(ctx: Ctx, file: string): Promise<number> {
  const output = createWriteStream(file, { flags: 'wx', mode: 0o600 })
  await once(output, 'open')
  const progress = createProgress({ label: 'People' })
  let lines = 0
  for await (const line of exportPeople(ctx)) {
    if (!output.write(line)) await once(output, 'drain')
    if (lines++ > 0) progress.advance()
  }
  output.end()
  await once(output, 'close')
  progress.done()
  return lines - 1
}

const importCommand: Command = {
  summary: 'On the new server: makes the same accounts, to which those of the file can move',
  args: ['FILE'],
  async run({ args, env }) {
    const progress = createProgress({ label: 'People' })
    const { made, there, refused } = await withContext(env, ({ ctx }) =>
      importPeople(ctx, args[0] as string, progress.advance),
    )
    progress.done()
    console.log(`Made: ${made} accounts${there === 0 ? '' : `; already there: ${there}`}`)
    reportRefused(refused, 'not made')
  },
}

const move: Command = {
  summary:
    'On the old server: moves everybody to the account of the same name on the new one, with their followers',
  args: ['DOMAIN'],
  async run({ args, env }) {
    const progress = createProgress({ label: 'People' })
    const { moved, refused } = await withContext(env, ({ ctx }) =>
      movePeople(ctx, 'operator', requireOtherDomain(ctx, args[0] as string), progress.advance),
    )
    progress.done()
    console.log(`Moved: ${moved} accounts`)
    reportRefused(refused, 'not moved')
  },
}

/** Throws when there are any, so that a script hears of it. */
function reportRefused(refused: readonly { username: string; reason: string }[], what: string): void {
  for (const { username, reason } of refused) console.error(`${username}: ${reason}`)
  if (refused.length > 0)
    throw new Error(
      `${refused.length} ${refused.length === 1 ? 'account was' : 'accounts were'} ${what}: see above, then run it again`,
    )
}

export const domainChange: Group = {
  summary: 'Taking everybody to a server under another domain',
  commands: { export: exportCommand, import: importCommand, move },
}
