// `bin/stonechat`: finds the command, reads its arguments, and turns errors into one line and exit code 1. What it says to
// operators is English and stands in the source; errors of the domain have their English sentence as message.
import { describeFailure } from '#app/service/describe-failure.ts'
import { ConfigError } from '#config/config.ts'
import { isAppError } from '#lib/errors.ts'
import { commandHelp, groupHelp, readInput, UsageError, type Command, type Group } from './kit/command.ts'
import { endOnSignals } from './kit/signals.ts'

export const program = 'stonechat'
const summary = 'Runs and looks after a Stonechat server'
/** Commands and groups of them by name. Only what is asked for is loaded. */
const loaders: Readonly<Record<string, () => Promise<Command | Group>>> = {
  serve: async () => (await import('./server/serve.ts')).serve,
  supervise: async () => (await import('./server/supervise.ts')).supervise,
  accounts: async () => (await import('./identity/accounts.ts')).accounts,
  announcements: async () => (await import('./server/announcements.ts')).announcements,
  audit: async () => (await import('./server/audit.ts')).audit,
  backup: async () => (await import('./server/backup.ts')).backup,
  'block-lists': async () => (await import('./federation/block-lists.ts')).blockLists,
  cache: async () => (await import('./maintenance/cache.ts')).cache,
  'canonical-email-blocks': async () =>
    (await import('./identity/canonical-email-blocks.ts')).canonicalEmailBlocks,
  database: async () => (await import('./server/database.ts')).database,
  doctor: async () => (await import('./server/doctor.ts')).doctor,
  'domain-change': async () => (await import('./federation/domain-change.ts')).domainChange,
  domains: async () => (await import('./federation/domains.ts')).domains,
  'email-domain-blocks': async () => (await import('./identity/email-domain-blocks.ts')).emailDomainBlocks,
  emoji: async () => (await import('./content/emoji.ts')).emoji,
  feeds: async () => (await import('./content/feeds.ts')).feeds,
  'held-posts': async () => (await import('./content/held-posts.ts')).heldPosts,
  'ip-blocks': async () => (await import('./identity/ip-blocks.ts')).ipBlocks,
  jobs: async () => (await import('./server/jobs.ts')).jobs,
  media: async () => (await import('./content/media.ts')).media,
  'preview-cards': async () => (await import('./content/preview-cards.ts')).previewCards,
  relays: async () => (await import('./federation/relays.ts')).relays,
  restore: async () => (await import('./server/restore.ts')).restore,
  retention: async () => (await import('./maintenance/retention.ts')).retention,
  roles: async () => (await import('./identity/roles.ts')).roles,
  rules: async () => (await import('./server/rules.ts')).rules,
  search: async () => (await import('./content/search.ts')).search,
  'self-destruct': async () => (await import('./federation/self-destruct.ts')).selfDestructCommand,
  settings: async () => (await import('./server/settings.ts')).settings,
  'spam-rules': async () => (await import('./content/spam-rules.ts')).spamRules,
  stats: async () => (await import('./maintenance/stats.ts')).stats,
  statuses: async () => (await import('./content/statuses.ts')).statuses,
  terms: async () => (await import('./server/terms.ts')).terms,
  tokens: async () => (await import('./identity/tokens.ts')).tokens,
  upgrade: async () => (await import('./server/upgrade.ts')).upgrade,
  'username-blocks': async () => (await import('./identity/username-blocks.ts')).usernameBlocks,
  version: async () => (await import('./server/version.ts')).version,
  webhooks: async () => (await import('./maintenance/webhooks.ts')).webhooks,
}

/** All of them. docs/command-line.md is made of it. */
export async function loadEntries(): Promise<Record<string, Command | Group>> {
  const all = Object.entries(loaders).map(async ([name, load]) => [name, await load()] as const)
  return Object.fromEntries(await Promise.all(all))
}

const isHelp = (word: string | undefined) => word === '--help' || word === '-h' || word === 'help'

/** Runs one command line. Throws UsageError for what cannot be understood. */
export async function runCommandLine(words: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const [first, ...rest] = words
  if (first === undefined || isHelp(first)) return show(groupHelp(program, summary, await loadEntries()))
  if (first === '--version') return runCommandLine(['version', ...rest], env)
  const entry = Object.hasOwn(loaders, first) ? await loaders[first]?.() : undefined
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
  return describeFailure(error)
}

/** Who reads what is printed may have seen enough, as `head` does. Otherwise, as on a full disk, it is lost. */
function endUnlessLeft(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return
  process.stderr.write(`${describeProblem(error)}\n`)
  // oxlint-disable-next-line unicorn/no-process-exit -- work is under way
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
