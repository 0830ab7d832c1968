import { listHeldPosts, rejectHeldPost } from '#domain/content/spam/held-posts.ts'
import { releaseHeldPost } from '#domain/content/statuses/publish/release-held-post.ts'
import type { Ctx } from '#ports/ctx.ts'
import { jsonOption, type Command, type Group } from '../kit/command.ts'
import { listAll } from '../kit/list-all.ts'
import { named, requireId } from '../kit/named.ts'
import { printList } from '../kit/table.ts'
import { withContext } from '../kit/with-context.ts'
import { asId, type HeldPostId } from '#lib/id.ts'

const shown = 100

const list: Command = {
  summary: 'Lists the posts that wait for staff, newest first',
  options: { json: jsonOption },
  async run({ env, flag }) {
    const rows = await withContext(env, ({ ctx }) => listAll((page) => listHeldPosts(ctx, page)))
    if (flag('json')) return console.log(JSON.stringify(rows))
    const textOf = (content: string) => content.replace(/\s+/g, ' ').slice(0, shown)
    printList(
      ['id', 'came', 'address', 'rule', 'text'],
      rows.map((row) => [
        row.id,
        row.created_at.toISOString(),
        row.uri ?? 'here',
        row.rule_name,
        textOf(row.content),
      ]),
    )
  },
}

const each = (summary: string, work: (ctx: Ctx, id: HeldPostId) => Promise<void>): Command => ({
  summary,
  args: ['ID...'],
  async run({ args, env }) {
    const ids = args.map((id) => requireId(id, 'held-posts list'))
    await withContext(env, async ({ ctx }) => {
      for (const id of ids) await named(`held post ${id}`, work(ctx, asId<HeldPostId>(id)))
    })
    console.log('OK')
  },
})

export const heldPosts: Group = {
  summary: 'Posts that a rule against spam keeps until staff have looked at them',
  commands: {
    list,
    reject: each('Refuses posts for good', (ctx, id) => rejectHeldPost(ctx, 'operator', id)),
    release: each('Publishes posts', (ctx, id) => releaseHeldPost(ctx, 'operator', id)),
  },
}
