import { readFile } from 'node:fs/promises'
import { undoSpamRule } from '#domain/trust/moderation/undo-spam-rule.ts'
import { maxHours, runDry } from '#domain/content/spam/dry-run.ts'
import {
  createSpamRule,
  deleteSpamRule,
  getSpamRule,
  listSpamRules,
  readConditions,
  updateSpamRule,
  type SpamRuleInput,
} from '#domain/content/spam/rules.ts'
import { isId } from '#lib/ids.ts'
import { parseTime } from '#lib/time/parse-time.ts'
import { jsonOption, UsageError, type Command, type Group } from '../kit/command.ts'
import { createOnId, named } from '../kit/named.ts'
import { createProgress } from '../kit/progress.ts'
import { printList } from '../kit/table.ts'
import { withContext } from '../kit/with-context.ts'
import { asId, type SpamRuleId } from '#lib/id.ts'

const list: Command = {
  summary: 'Lists the rules against spam',
  options: { json: jsonOption },
  async run({ env, flag }) {
    const rows = await withContext(env, ({ ctx }) => listSpamRules(ctx))
    if (flag('json')) return console.log(JSON.stringify(rows))
    printList(
      ['id', 'action', 'matched', 'name', 'conditions'],
      rows.map((row) => [
        row.id,
        row.enabled ? row.action : `${row.action} (disabled)`,
        `${row.hits} hits`,
        row.name,
        JSON.stringify(row.conditions),
      ]),
    )
  },
}

const add: Command = {
  summary: 'Makes a rule of a file with {"name": …, "action": …, "conditions": {…}} and prints its id',
  args: ['FILE'],
  async run({ args, env }) {
    const input = await readRule(args[0] as string)
    console.log(await withContext(env, async ({ ctx }) => (await createSpamRule(ctx, 'operator', input)).id))
  },
}

const remove: Command = {
  summary: 'Deletes a rule. What it did stays',
  args: ['ID'],
  async run(input) {
    await withContext(input.env, ({ ctx }) => onRule(input, (id) => deleteSpamRule(ctx, 'operator', id)))
    console.log('OK')
  },
}

const turn = (enabled: boolean): Command => ({
  summary: enabled ? 'Lets a rule act again' : 'Lets a rule rest',
  args: ['ID'],
  async run(input) {
    await withContext(input.env, ({ ctx }) =>
      onRule(input, (id) => updateSpamRule(ctx, 'operator', id, { enabled })),
    )
    console.log('OK')
  },
})

const test: Command = {
  summary: 'Tells which posts of the last hours a rule, by its id or its file, would have matched',
  args: ['ID|FILE'],
  options: {
    hours: { value: 'N', help: `How far back to look: up to ${maxHours}; 24 by default` },
    limit: { value: 'N', help: 'How many of the posts to print; 20 by default' },
    json: jsonOption,
  },
  async run({ args, env, text, flag }) {
    const rule = args[0] as string
    const hours = readCount('hours', text('hours') ?? '24', maxHours)
    const limit = readCount('limit', text('limit') ?? '20', 200)
    await withContext(env, async ({ ctx }) => {
      const { conditions } = isId(rule)
        ? await named(`rule ${rule}`, getSpamRule(ctx, asId<SpamRuleId>(rule)))
        : await readRule(rule)
      const run = await runDry(ctx, await readConditions(ctx, conditions), { hours, limit, closed: true })
      if (flag('json')) return console.log(JSON.stringify(run))
      const more = run.truncated ? ', of which there are more in that time' : ''
      console.log(`${run.count} of ${run.examined} posts${more}`)
      for (const id of run.statusIds) console.log(id)
    })
  },
}

const undo: Command = {
  summary: 'Takes back what a rule did: limits, reports that still wait, posts that it holds',
  args: ['ID'],
  options: {
    since: { value: 'TIME', help: 'Only what it did since, such as 2026-01-31T12:00:00Z' },
    json: jsonOption,
  },
  async run(input) {
    const { env, text, flag } = input
    const given = text('since')
    const time = given === undefined ? null : parseTime(given)
    if (given !== undefined && time === null) throw new UsageError('--since is not a time')
    const since = time === null ? null : new Date(time)
    const total = { hits: 0, lifted: 0, resolved: 0, released: 0, stuck: 0 }
    await withContext(env, async ({ ctx }) => {
      const progress = createProgress({ label: 'Matches', json: flag('json') })
      for (let more = true; more;) {
        const { more: left, ...done } = await onRule(input, (id) =>
          undoSpamRule(ctx, 'operator', id, { since }),
        )
        for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += done[name]
        progress.advance(done.hits)
        more = left
      }
      progress.done()
    })
    if (flag('json')) return console.log(JSON.stringify(total))
    for (const [name, count] of Object.entries(total)) console.log(`${name}: ${count}`)
  },
}

async function readRule(path: string): Promise<SpamRuleInput> {
  const rule = parseJson(path, await readFile(path, 'utf8'))
  if (typeof rule !== 'object' || rule === null) throw new UsageError(`${path} holds no rule`)
  return rule
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${path}: ${(error as Error).message}`)
  }
}

function readCount(name: string, text: string, max: number): number {
  if (/^\d{1,6}$/.test(text) && Number(text) >= 1 && Number(text) <= max) return Number(text)
  throw new UsageError(`--${name} is a whole number from 1 to ${max}`)
}

const onRule = createOnId<SpamRuleId>('spam-rules list', (id) => `rule ${id}`)

export const spamRules: Group = {
  summary: 'Rules that report, limit, hold or refuse posts by themselves',
  commands: { add, disable: turn(false), enable: turn(true), list, remove, test, undo },
}
