import { addRelay, listRelays, removeRelay } from '#domain/federation/relays/relays.ts'
import { jsonOption, type Command, type Group } from '../kit/command.ts'
import { named, requireId } from '../kit/named.ts'
import { printList } from '../kit/table.ts'
import { withContext } from '../kit/with-context.ts'
import { asId, type RelayId } from '#lib/id.ts'

const list: Command = {
  summary: 'Lists the relays this server follows',
  options: { json: jsonOption },
  async run({ env, flag }) {
    const rows = await withContext(env, ({ ctx }) => listRelays(ctx))
    if (flag('json')) console.log(JSON.stringify(rows))
    else
      printList(
        ['id', 'state', 'address'],
        rows.map((row) => [row.id, row.state, row.actor_uri ?? row.inbox_url]),
      )
  },
}

const add: Command = {
  summary: 'Follows a relay: URL is that of its inbox, which ends in /inbox, or of its actor. Prints its id',
  args: ['URL'],
  async run({ args, env }) {
    console.log(
      await withContext(env, async ({ ctx }) => (await addRelay(ctx, 'operator', args[0] as string)).id),
    )
  },
}

const remove: Command = {
  summary: 'Parts from a relay',
  args: ['ID'],
  async run({ args, env }) {
    const id = requireId(args[0], 'relays list')
    await withContext(env, ({ ctx }) => named(`relay ${id}`, removeRelay(ctx, 'operator', asId<RelayId>(id))))
    console.log('OK')
  },
}

export const relays: Group = {
  summary: 'Servers that pass public posts on between servers',
  commands: { list, add, remove },
}
