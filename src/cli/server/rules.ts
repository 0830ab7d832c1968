import { createRule, deleteRule, updateRule } from '#domain/server/instance/edit-rules.ts'
import { listFullRules } from '#domain/server/instance/rules.ts'
import { jsonOption, UsageError, type Command, type Group, type Input, type Option } from '../kit/command.ts'
import { createOnId } from '../kit/named.ts'
import { printList } from '../kit/table.ts'
import { withContext } from '../kit/with-context.ts'
import type { RuleId } from '#lib/id.ts'

const options: Readonly<Record<string, Option>> = {
  hint: { value: 'TEXT', help: 'What is meant in more words' },
  priority: { value: 'N', help: 'Lower ones come first' },
}

const list: Command = {
  summary: 'Lists the rules of the server in their order',
  options: { json: jsonOption },
  async run({ env, flag }) {
    const rows = await withContext(env, ({ ctx }) => listFullRules(ctx))
    if (flag('json')) console.log(JSON.stringify(rows))
    else
      printList(
        ['id', 'priority', 'text'],
        rows.map((row) => [row.id, row.priority, row.text]),
      )
  },
}

const create: Command = {
  summary: 'Makes a rule and prints its id',
  args: ['TEXT'],
  options,
  async run(input) {
    const wanted = { ...readOptions(input), text: input.args[0] as string }
    console.log(await withContext(input.env, ({ ctx }) => createRule(ctx, 'operator', wanted)))
  },
}

const modify: Command = {
  summary: 'Changes a rule',
  args: ['ID'],
  options: { text: { value: 'TEXT', help: 'What it says' }, ...options },
  async run(input) {
    const wanted = { ...readOptions(input), text: input.text('text') }
    await withContext(input.env, ({ ctx }) => onRule(input, (id) => updateRule(ctx, 'operator', id, wanted)))
    console.log('OK')
  },
}

const remove: Command = {
  summary: 'Deletes a rule. Reports that name it still tell it',
  args: ['ID'],
  async run(input) {
    await withContext(input.env, ({ ctx }) => onRule(input, (id) => deleteRule(ctx, 'operator', id)))
    console.log('OK')
  },
}

function readOptions({ text }: Input) {
  const priority = text('priority')
  if (priority !== undefined && !/^-?\d{1,6}$/.test(priority))
    throw new UsageError('--priority is a whole number')
  return { hint: text('hint'), priority: priority === undefined ? undefined : Number(priority) }
}

const onRule = createOnId<RuleId>('rules list', (id) => `rule ${id}`)

export const rules: Group = {
  summary: 'What people agree to',
  commands: { create, delete: remove, list, modify },
}
