// What a command of the command line is, and how its help and its arguments are made from that.
import { parseArgs } from 'node:util'

export interface Option {
  /** What stands for the value in the help. Without it the option is a switch. */
  value?: string
  help: string
}

export interface Command {
  /** One line for the list of commands. */
  summary: string
  /** Names of the arguments in order. `[NAME]` may be left out; the last one may be `NAME...` for several. */
  args?: readonly string[]
  options?: Readonly<Record<string, Option>>
  /** It ends by itself, and in its own way, when it is told to. */
  endsItself?: boolean
  run(input: Input): Promise<void>
}

export interface Group {
  summary: string
  commands: Readonly<Record<string, Command>>
}

export interface Input {
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** The arguments as they were given, for commands that pass them on. */
  readonly raw: readonly string[]
  /** The value of an option; undefined when it was not given. */
  text(name: string): string | undefined
  flag(name: string): boolean
}

/** The person at the keyboard got something wrong; the message says what. */
export class UsageError extends Error {}

export const jsonOption: Option = { help: 'Print JSON' }

/** Reads the arguments of a command. Throws UsageError. */
export function readInput(command: Command, raw: readonly string[], env: NodeJS.ProcessEnv): Input {
  const { values, positionals } = parse(command, raw)
  const names = command.args ?? []
  const missing = names.slice(positionals.length).find((name) => !name.startsWith('['))
  if (missing !== undefined) throw new UsageError(`${missing.replace('...', '')} is missing`)
  if (positionals.length > names.length && !names.at(-1)?.includes('...')) {
    throw new UsageError(`${JSON.stringify(positionals[names.length])} is one argument too many`)
  }
  return {
    args: positionals,
    env,
    raw,
    text: (name) => values[name] as string | undefined,
    flag: (name) => values[name] === true,
  }
}

function parse(command: Command, raw: readonly string[]) {
  const options = Object.entries(command.options ?? {}).map(
    ([name, option]) => [name, { type: option.value === undefined ? 'boolean' : 'string' }] as const,
  )
  try {
    return parseArgs({
      args: joinNegative(command, raw),
      options: Object.fromEntries(options),
      allowPositionals: true,
    })
  } catch (error) {
    // Node adds advice for programmers after the first sentence.
    throw new UsageError((error as Error).message.split(/\.\s(?=[A-Z])/)[0])
  }
}

/** A negative number behind an option is its value, as with `=` in between; Node refuses to tell. */
function joinNegative({ options = {} }: Command, raw: readonly string[]): string[] {
  const end = raw.includes('--') ? raw.indexOf('--') : raw.length
  const takesNext = (word = '') =>
    word.startsWith('--') &&
    Object.hasOwn(options, word.slice(2)) &&
    options[word.slice(2)]?.value !== undefined
  const isValue = (index: number) =>
    index > 0 && index < end && /^-[\d.]/.test(raw[index] ?? '') && takesNext(raw[index - 1])
  return raw.flatMap((word, index) => {
    if (isValue(index)) return []
    return isValue(index + 1) ? `${word}=${raw[index + 1]}` : word
  })
}

/** The help of one command. `name` is all of it, such as `stonechat accounts create`. */
export function commandHelp(name: string, command: Command): string {
  const options = Object.entries(command.options ?? {})
  const usage = [`Usage: ${name}`, ...(command.args ?? []), ...(options.length > 0 ? ['[OPTIONS]'] : [])]
  const rows = options.map(([option, { value, help }]): [string, string] => [
    value === undefined ? `--${option}` : `--${option} ${value}`,
    help,
  ])
  return [usage.join(' '), '', `${command.summary}.`, ...section('Options', [...rows, helpRow]), ''].join(
    '\n',
  )
}

const helpRow: [string, string] = ['--help', 'Show this']

/** The help of a group of commands, or of the whole program. */
export function groupHelp(
  name: string,
  summary: string,
  entries: Record<string, { summary: string }>,
): string {
  const rows = Object.entries(entries).map(([command, entry]): [string, string] => [command, entry.summary])
  const more = `\nMore about one: ${name} COMMAND --help\n`
  return [`Usage: ${name} COMMAND`, '', `${summary}.`, ...section('Commands', rows), more].join('\n')
}

function section(title: string, rows: readonly [string, string][]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return ['', `${title}:`, ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)]
}
