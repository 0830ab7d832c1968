import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  setWebhookEnabled,
} from '#domain/maintenance/webhooks/edit-webhook.ts'
import { getWebhook, listWebhooks, webhookEvents } from '#domain/maintenance/webhooks/queries.ts'
import { testWebhook } from '#domain/maintenance/webhooks/test-webhook.ts'
import type { Ctx } from '#ports/ctx.ts'
import { jsonOption, type Command, type Group } from '../kit/command.ts'
import { createOnId } from '../kit/named.ts'
import { printList } from '../kit/table.ts'
import { withContext } from '../kit/with-context.ts'
import type { WebhookId } from '#lib/id.ts'

const list: Command = {
  summary: 'Lists webhooks, newest first',
  options: { json: jsonOption },
  async run({ env, flag }) {
    const rows = await withContext(env, ({ ctx }) => listWebhooks(ctx))
    const shown = rows.map(({ secret: _, ...row }) => row)
    if (flag('json')) return console.log(JSON.stringify(shown))
    printList(
      ['id', 'state', 'address', 'events', 'last answer'],
      shown.map((row) => [
        row.id,
        row.enabled ? 'enabled' : 'disabled',
        row.url,
        row.events.join(','),
        row.last_error ?? row.last_status,
      ]),
    )
  },
}

const create: Command = {
  summary: 'Has a URL told of events. Prints its id and the secret that signs what is sent',
  args: ['URL'],
  options: { events: { value: 'LIST', help: `With commas between them: ${webhookEvents.join(', ')}` } },
  async run({ args, env, text }) {
    const wanted = { url: args[0], events: (text('events') ?? '').split(/[\s,]+/).filter(Boolean) }
    const made = await withContext(env, async ({ ctx }) =>
      getWebhook(ctx, await createWebhook(ctx, 'operator', wanted)),
    )
    console.log(`${made.id}\nSecret: ${made.secret}`)
  },
}

const rotate: Command = {
  summary: 'Gives a webhook another secret and prints it',
  args: ['ID'],
  async run(input) {
    const { secret } = await withContext(input.env, ({ ctx }) =>
      onWebhook(input, async (id) => {
        await rotateWebhookSecret(ctx, 'operator', id)
        return getWebhook(ctx, id)
      }),
    )
    console.log(`Secret: ${secret}`)
  },
}

const test: Command = {
  summary: 'Sends a webhook a message that says only that it is a test',
  args: ['ID'],
  async run(input) {
    const { status, error } = await withContext(input.env, ({ ctx }) =>
      onWebhook(input, (id) => testWebhook(ctx, 'operator', id)),
    )
    console.log(error === null ? `OK: answered ${status}` : `Not taken: ${error}`)
  },
}

const simple = (summary: string, work: (ctx: Ctx, id: WebhookId) => Promise<void>): Command => ({
  summary,
  args: ['ID'],
  async run(input) {
    await withContext(input.env, ({ ctx }) => onWebhook(input, (id) => work(ctx, id)))
    console.log('OK')
  },
})

const onWebhook = createOnId<WebhookId>('webhooks list', (id) => `webhook ${id}`)

export const webhooks: Group = {
  summary: 'Addresses that are told what happens',
  commands: {
    create,
    delete: simple('Deletes a webhook', (ctx, id) => deleteWebhook(ctx, 'operator', id)),
    disable: simple('Has a webhook told of nothing', (ctx, id) =>
      setWebhookEnabled(ctx, 'operator', id, false),
    ),
    enable: simple('Has it told again', (ctx, id) => setWebhookEnabled(ctx, 'operator', id, true)),
    list,
    'rotate-secret': rotate,
    test,
  },
}
