// `bin/stonechat`: finds the command, reads its arguments, and turns errors into one line and exit code 1. What it says to
// operators is English and stands in the source; errors of the domain have their English sentence as message.
import { ConfigError } from '#config/config.ts'
import { isAppError } from '#lib/errors.ts'
import { accounts } from './identity/accounts.ts'
import { announcements } from './server/announcements.ts'
import { audit } from './server/audit.ts'
import { backup } from './server/backup.ts'
import { blockLists } from './federation/block-lists.ts'
import { cache } from './maintenance/cache.ts'
import { canonicalEmailBlocks } from './identity/canonical-email-blocks.ts'
import { commandHelp, groupHelp, readInput, UsageError, type Command, type Group } from './kit/command.ts'
import { doctor } from './server/doctor.ts'
import { domains } from './federation/domains.ts'
import { emailDomainBlocks } from './identity/email-domain-blocks.ts'
import { emoji } from './content/emoji.ts'
import { feeds } from './content/feeds.ts'
import { heldPosts } from './content/held-posts.ts'
import { ipBlocks } from './identity/ip-blocks.ts'
import { jobs } from './server/jobs.ts'
import { media } from './content/media.ts'
import { previewCards } from './content/preview-cards.ts'
import { relays } from './federation/relays.ts'
import { restore } from './server/restore.ts'
import { retention } from './maintenance/retention.ts'
import { roles } from './identity/roles.ts'
import { rules } from './server/rules.ts'
import { search } from './content/search.ts'
import { selfDestructCommand } from './federation/self-destruct.ts'
import { serve } from './server/serve.ts'
import { settings } from './server/settings.ts'
import { endOnSignals } from './kit/signals.ts'
import { spamRules } from './content/spam-rules.ts'
import { stats } from './maintenance/stats.ts'
import { statuses } from './content/statuses.ts'
import { supervise } from './server/supervise.ts'
import { describeSystemError } from './kit/system-errors.ts'
import { terms } from './server/terms.ts'
import { tokens } from './identity/tokens.ts'
import { usernameBlocks } from './identity/username-blocks.ts'
import { version } from './server/version.ts'
import { webhooks } from './maintenance/webhooks.ts'

export const program = 'stonechat'
const summary = 'Runs and looks after a Stonechat server'
/** All commands and groups of them by name. docs/command-line.md is made of it. */
export const entries: Readonly<Record<string, Command | Group>> = {
  serve,
  supervise,
  accounts,
  announcements,
  audit,
  backup,
  'block-lists': blockLists,
  cache,
  'canonical-email-blocks': canonicalEmailBlocks,
  doctor,
  domains,
  'email-domain-blocks': emailDomainBlocks,
  emoji,
  feeds,
  'held-posts': heldPosts,
  'ip-blocks': ipBlocks,
  jobs,
  media,
  'preview-cards': previewCards,
  relays,
  restore,
  retention,
  roles,
  rules,
  search,
  'self-destruct': selfDestructCommand,
  settings,
  'spam-rules': spamRules,
  stats,
  statuses,
  terms,
  tokens,
  'username-blocks': usernameBlocks,
  version,
  webhooks,
}

const isHelp = (word: string | undefined) => word === '--help' || word === '-h' || word === 'help'

/** Runs one command line. Throws UsageError for what cannot be understood. */
export async function runCommandLine(words: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const [first, ...rest] = words
  if (first === undefined || isHelp(first)) return show(groupHelp(program, summary, entries))
  if (first === '--version') return runCommand(`${program} version`, version, rest, env)
  const entry = Object.hasOwn(entries, first) ? entries[first] : undefined
  if (entry === undefined) throw new UsageError(unknown(first, program))
  if ('run' in entry) return runCommand(`${program} ${first}`, entry, rest, env)
  const [second, ...args] = rest
  const name = `${program} ${first}`
  if (second === undefined || isHelp(second)) return show(groupHelp(name, entry.summary, entry.commands))
  const command = Object.hasOwn(entry.commands, second) ? entry.commands[second] : undefined
  if (command === undefined) throw new UsageError(unknown(second, name))
  return runCommand(`${name} ${second}`, command, args, env)
}

async function runCommand(
  name: string,
  command: Command,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const end = args.indexOf('--')
  const words = end === -1 ? args : args.slice(0, end)
  if (words.some((word) => word === '--help' || word === '-h')) return show(commandHelp(name, command))
  if (!command.endsItself) endOnSignals()
  try {
    await command.run(readInput(command, args, env))
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${error.message} (see ${name} --help)`)
    throw error
  }
}

const unknown = (word: string, name: string) =>
  `There is no command ${JSON.stringify(word)} (see ${name} --help)`

function show(text: string): void {
  process.stdout.write(text)
}

/** What to tell the operator. Errors nobody foresaw come with where they happened. */
export function describeProblem(error: unknown): string {
  if (error instanceof UsageError || error instanceof ConfigError || isAppError(error)) return error.message
  if (!(error instanceof Error)) return String(error)
  if (process.env['LOG_LEVEL'] === 'debug') return error.stack ?? error.message
  return describeSystemError(error) ?? error.message
}

/** Who reads what is printed may have seen enough, as `head` does. Otherwise, as on a full disk, it is lost. */
function endUnlessLeft(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return
  process.stderr.write(`${describeProblem(error)}\n`)
  process.exit(1)
}

if (import.meta.main) {
  for (const output of [process.stdout, process.stderr]) output.on('error', endUnlessLeft)
  try {
    await runCommandLine(process.argv.slice(2), process.env)
  } catch (error) {
    process.stderr.write(`${describeProblem(error)}\n`)
    process.exitCode = 1
  }
}
