import type { Ctx } from '#ports/ctx.ts'
import {
  createIpBlock,
  deleteIpBlock,
  findBlockOfRange,
  ipSeverities,
  listIpBlocks,
  updateIpBlock,
} from '#domain/identity/sign-up-restrictions/ip-blocks.ts'
import type { IpSeverity } from '#domain/identity/sign-up-restrictions/find-ip-block.ts'
import { isAppError } from '#lib/errors.ts'
import { jsonOption, UsageError, type Command, type Group, type Input } from '../kit/command.ts'
import { listAll } from '../kit/list-all.ts'
import { printList } from '../kit/table.ts'
import { withContext } from '../kit/with-context.ts'

const formats = ['plain', 'nginx'] as const

const add: Command = {
  summary: 'Blocks addresses and ranges such as 192.0.2.0/24',
  args: ['IP...'],
  options: {
    severity: { value: 'LEVEL', help: `${ipSeverities.join(', ')}; no_access by default` },
    comment: { value: 'TEXT', help: 'For staff' },
    duration: { value: 'SECONDS', help: 'After which it ends by itself' },
    force: { help: 'Change those that there are already' },
  },
  async run(input) {
    const terms = readTerms(input)
    await withContext(input.env, async ({ ctx }) => {
      for (const ip of input.args)
        console.log(`${ip}\t${await addOne(ctx, { ...terms, ip }, input.flag('force'))}`)
    })
  },
}

function readTerms({ text }: Input) {
  const severity = text('severity') ?? 'no_access'
  if (!ipSeverities.includes(severity as IpSeverity)) {
    throw new UsageError(`--severity is one of ${ipSeverities.join(', ')}`)
  }
  const duration = text('duration')
  if (duration !== undefined && !/^[1-9]\d{0,9}$/.test(duration)) {
    throw new UsageError('--duration is a number of seconds')
  }
  const expiresIn = duration === undefined ? null : Number(duration)
  return { severity: severity as IpSeverity, comment: text('comment'), expiresIn }
}

async function addOne(
  ctx: Ctx,
  terms: ReturnType<typeof readTerms> & { ip: string },
  force: boolean,
): Promise<string> {
  const found = await findRange(ctx, terms.ip)
  const isOver = found?.expires_at && found.expires_at.getTime() <= ctx.clock.now()
  const known = isOver ? null : found
  if (known && !force) return 'is blocked already'
  if (known) await updateIpBlock(ctx, 'operator', known.id, terms)
  else await createIpBlock(ctx, 'operator', terms)
  return 'OK'
}

/** What is no range is a mistake of whoever typed it. */
async function findRange(ctx: Ctx, ip: string, covering = false) {
  try {
    return await findBlockOfRange(ctx, ip, covering)
  } catch (error) {
    if (isAppError(error, 'invalid')) throw new UsageError(`${JSON.stringify(ip)} is no address or range`)
    throw error
  }
}

const remove: Command = {
  summary: 'Lifts blocks of addresses and ranges',
  args: ['IP...'],
  options: {
    force: { help: 'Also lift a wider block that holds the address' },
    'dry-run': { help: 'Only say what would go' },
  },
  async run({ args, env, flag }) {
    await withContext(env, async ({ ctx }) => {
      for (const ip of args) {
        const known = (await findRange(ctx, ip)) ?? (flag('force') ? await findRange(ctx, ip, true) : null)
        if (!known) {
          console.log(`${ip}\tis not blocked`)
          continue
        }
        if (!flag('dry-run')) await deleteIpBlock(ctx, 'operator', known.id)
        console.log(`${known.ip}\t${flag('dry-run') ? 'Would be lifted' : 'OK'}`)
      }
    })
  },
}

const list: Command = {
  summary: 'Lists blocks, newest first',
  options: { json: jsonOption },
  async run({ env, flag }) {
    const rows = await withContext(env, ({ ctx }) => listAll((page) => listIpBlocks(ctx, page)))
    if (flag('json')) return console.log(JSON.stringify(rows))
    printList(
      ['range', 'severity', 'until', 'comment'],
      rows.map(({ ip, severity, expires_at: end, comment }) => [
        ip,
        severity,
        end?.toISOString(),
        comment || null,
      ]),
    )
  },
}

const exportRanges: Command = {
  summary: 'Prints the ranges that have no access, for a firewall or a proxy',
  options: {
    format: { value: 'FORMAT', help: `${formats.join(' or ')}; plain by default` },
    json: jsonOption,
  },
  async run({ env, text, flag }) {
    const format = text('format') ?? 'plain'
    if (!formats.includes(format as (typeof formats)[number])) {
      throw new UsageError(`--format is ${formats.join(' or ')}`)
    }
    const now = Date.now()
    const rows = await withContext(env, ({ ctx }) => listAll((page) => listIpBlocks(ctx, page)))
    const ranges = rows
      .filter((row) => row.severity === 'no_access' && (row.expires_at?.getTime() ?? Infinity) > now)
      .map(({ ip }) => ip)
    if (flag('json')) return console.log(JSON.stringify(ranges))
    for (const ip of ranges) console.log(format === 'nginx' ? `deny ${ip};` : ip)
  },
}

export const ipBlocks: Group = {
  summary: 'Addresses that may not sign up, or may not come in',
  commands: { add, export: exportRanges, list, remove },
}
