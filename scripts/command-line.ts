/**
 * Writes docs/command-line.md from the commands themselves. With --check it only fails when the page is stale, or when a
 * command is not described as it should be.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export interface ListedCommand {
  summary: string
  args?: readonly string[]
  options?: Readonly<Record<string, { value?: string; help: string }>>
}

export interface ListedGroup {
  summary: string
  commands: Readonly<Record<string, ListedCommand>>
}

export type Entries = Readonly<Record<string, ListedCommand | ListedGroup>>

/** `name` is all of it, such as `accounts create`. */
interface Named {
  name: string
  command: ListedCommand
}

const isGroup = (entry: ListedCommand | ListedGroup): entry is ListedGroup => 'commands' in entry

function commandsOf(entries: Entries): Named[] {
  return Object.entries(entries).flatMap(([name, entry]) =>
    isGroup(entry)
      ? Object.entries(entry.commands).map(([sub, command]) => ({ name: `${name} ${sub}`, command }))
      : [{ name, command: entry }],
  )
}

/** What would end a cell of a table, or begin something else in it. */
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

function describe(program: string, { name, command }: Named, depth: string): string {
  const options = Object.entries(command.options ?? {})
  const words = [program, name, ...(command.args ?? []), ...(options.length > 0 ? ['[OPTIONS]'] : [])]
  const rows = options.map(([option, { value, help }]) => {
    const shown = value === undefined ? `--${option}` : `--${option} ${value}`
    return `| \`${shown}\` | ${cell(help)} |`
  })
  const table = rows.length === 0 ? [] : [['| option | |', '| --- | --- |', ...rows].join('\n')]
  return [`${depth} ${name}`, `\`${words.join(' ')}\``, `${command.summary}.`, ...table].join('\n\n')
}

/** The whole page. The same commands always give the same text. */
export function renderCommandLine(program: string, entries: Entries): string {
  const sections = Object.entries(entries).flatMap(([name, entry]) => {
    if (!isGroup(entry)) return [describe(program, { name, command: entry }, '##')]
    const commands = Object.entries(entry.commands).map(([sub, command]) =>
      describe(program, { name: `${name} ${sub}`, command }, '###'),
    )
    return [`## ${name}`, `${entry.summary}.`, ...commands]
  })
  return [
    '# Command line',
    'Generated from `src/cli/` by `scripts/command-line.ts`; do not edit.',
    'Every command works while the server runs and while it does not, in the same environment and as the same user. ' +
      '`--help` after any of them shows what stands here. Errors go to stderr, one line each, and the exit code is 1 ' +
      'then. With `--json` nothing but JSON is on stdout; how far long work is, is on stderr. What takes long can be ' +
      'ended at any time and run again. What staff or this command line do to others is in the audit log.',
    ...sections,
  ]
    .join('\n\n')
    .concat('\n')
}

/** What is missing in the descriptions. */
export function commandProblems(entries: Entries): string[] {
  return commandsOf(entries).flatMap(({ name, command }) => {
    const options = command.options ?? {}
    const helps = Object.entries(options).filter(([, { help }]) => help.trim() === '' || help.endsWith('.'))
    return [
      ...(command.summary.trim() === '' || command.summary.endsWith('.')
        ? [`${name}: the summary is empty, or ends with a full stop`]
        : []),
      ...helps.map(([option]) => `${name} --${option}: the help is empty, or ends with a full stop`),
      ...(name.endsWith(' list') && !options['json'] ? [`${name} prints a list, and has no --json`] : []),
    ]
  })
}

async function main(root: string, check: boolean): Promise<string[]> {
  const commandLine: { loadEntries(): Promise<Entries>; program: string } = await import(
    join(root, 'src/cli/main.ts')
  )
  const { program } = commandLine
  const entries = await commandLine.loadEntries()
  const page = join(root, 'docs/command-line.md')
  const text = renderCommandLine(program, entries)
  console.log(`commands: ${commandsOf(entries).length}`)
  const problems = commandProblems(entries)
  if (!check) writeFileSync(page, text)
  else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
    problems.push('docs/command-line.md is stale: run scripts/command-line.ts')
  }
  return problems
}

if (import.meta.main) {
  const problems = await main(resolve(import.meta.dirname, '..'), process.argv.includes('--check'))
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
