/**
 * Writes what a package says of the command line, from the commands themselves: `describe.ts man`, `bash` or `zsh`, to
 * stdout.
 */
import packageFile from '../../package.json' with { type: 'json' }
import { loadEntries, program } from '#cli/main.ts'
import type { Command, Group } from '#cli/kit/command.ts'

type Entries = Readonly<Record<string, Command | Group>>

interface Named {
  /** Such as `accounts create`. */
  name: string
  command: Command
}

const isGroup = (entry: Command | Group): entry is Group => 'commands' in entry

const commandsOf = (entries: Entries): Named[] =>
  Object.entries(entries).flatMap(([name, entry]) =>
    isGroup(entry)
      ? Object.entries(entry.commands).map(([sub, command]) => ({ name: `${name} ${sub}`, command }))
      : [{ name, command: entry }],
  )

/** Text of a manual page: a backslash, a dash, and a dot or quote at the begin of a line mean something there. */
const roff = (text: string) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')

/** Returns the manual page, in the language of man(7). */
export function renderManual(entries: Entries, version: string): string {
  const sections = commandsOf(entries).flatMap(({ name, command }) => [
    `.SS ${roff([name, ...(command.args ?? [])].join(' '))}`,
    `${roff(command.summary)}.`,
    ...Object.entries(command.options ?? {}).flatMap(([option, { value, help }]) => [
      '.TP',
      `.B ${roff(`--${option}${value === undefined ? '' : ` ${value}`}`)}`,
      roff(help),
    ]),
  ])
  const files: [string, string][] = [
    [
      '/etc/stonechat/environment',
      'Variables of the service, one a line, such as LOCAL_DOMAIN=chat.example.org.',
    ],
    ['/var/lib/stonechat', 'All state: database, media, secrets, backups.'],
    ['/usr/share/doc/stonechat', 'The documentation.'],
  ]
  return [
    `.TH STONECHAT 1 "" "Stonechat ${version}" "Stonechat"`,
    '.SH NAME',
    `${program} \\- runs and looks after a server of the fediverse`,
    '.SH SYNOPSIS',
    `.B ${program}`,
    '.I COMMAND\n.RI [ OPTIONS ]',
    '.SH DESCRIPTION',
    roff(
      'Stonechat speaks the Mastodon API and ActivityPub. As a service it is started by systemd. Commands work while it runs and while it does not; as root they run as the user of the service, with its environment. --help at each level says more, --json prints lists for programs.',
    ),
    '.SH COMMANDS',
    ...sections,
    '.SH FILES',
    ...files.flatMap(([file, text]) => ['.TP', `.I ${roff(file)}`, roff(text)]),
    '.SH EXIT STATUS',
    '0 when all went well; otherwise 1, with a line on the standard error that says what to do.',
    '.SH SEE ALSO',
    '.BR systemctl (1),\n.BR journalctl (1)',
    '',
  ].join('\n')
}

const optionsOf = ({ options = {} }: Command) => [
  '--help',
  ...Object.keys(options).map((name) => `--${name}`),
]

/** Returns a script for bash: commands, their subcommands and options, then files. */
export function renderBash(entries: Entries): string {
  const cases = commandsOf(entries).map(
    ({ name, command }) => `    '${name}') words='${optionsOf(command).join(' ')}' ;;`,
  )
  const groups = Object.entries(entries)
    .filter(([, entry]) => isGroup(entry))
    .map(([name, entry]) => `    '${name}') words='${Object.keys((entry as Group).commands).join(' ')}' ;;`)
  return `# Completions of bash for ${program}. Made from its commands.
_${program}() {
  local words='' name=\${COMP_WORDS[1]-} word=\${COMP_WORDS[COMP_CWORD]}
  if ((COMP_CWORD == 1)); then
    words='${Object.keys(entries).join(' ')}'
  else
    case $name in
${groups.join('\n')}
    esac
    if [[ -n $words ]] && ((COMP_CWORD > 2)); then
      name+=" \${COMP_WORDS[2]}"
      words=''
    elif [[ -n $words ]]; then
      COMPREPLY=($(compgen -W "$words" -- "$word"))
      return
    fi
    case $name in
${cases.join('\n')}
    esac
    if [[ $word != -* ]]; then
      COMPREPLY=($(compgen -f -- "$word"))
      return
    fi
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o filenames -F _${program} ${program}
`
}

const zshQuoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
const described = (name: string, text: string) =>
  zshQuoted(`${name}:${text.replaceAll('\\', '\\\\').replaceAll(':', '\\:')}`)

/** Returns a function for zsh, which also shows what each word means. */
export function renderZsh(entries: Entries): string {
  const optionSpecs = ({ options = {} }: Command) =>
    Object.entries(options).map(([name, { value, help }]) => {
      const text = help.replaceAll(/[[\]:\\]/g, (found) => `\\${found}`)
      return zshQuoted(`--${name}[${text}]${value === undefined ? '' : `:${value}:_files`}`)
    })
  const call = (command: Command, depth: string) =>
    [`${depth}_arguments '--help[Show this]'`, ...optionSpecs(command), "'*:argument:_files'"].join(' ')
  const cases = Object.entries(entries).map(([name, entry]) => {
    if (!isGroup(entry)) return `    ${name})\n${call(entry, '      ')} ;;`
    const subs = Object.entries(entry.commands)
    const list = subs.map(([sub, { summary }]) => described(sub, summary)).join(' ')
    const inner = subs.map(([sub, command]) => `        ${sub})\n${call(command, '          ')} ;;`)
    return `    ${name})
      if ((CURRENT == 2)); then
        local -a commands=(${list})
        _describe command commands
        return
      fi
      shift words; ((CURRENT--))
      case $words[1] in
${inner.join('\n')}
      esac ;;`
  })
  const list = Object.entries(entries).map(([name, { summary }]) => `    ${described(name, summary)}`)
  return `#compdef ${program}
# Completions of zsh for ${program}. Made from its commands.
_${program}() {
  if ((CURRENT == 2)); then
    local -a commands=(
${list.join('\n')}
    )
    _describe command commands
    return
  fi
  shift words; ((CURRENT--))
  case $words[1] in
${cases.join('\n')}
  esac
}
_${program} "$@"
`
}

const renderers: Readonly<Record<string, (entries: Entries) => string>> = {
  man: (entries) => renderManual(entries, packageFile.version),
  bash: renderBash,
  zsh: renderZsh,
}

if (import.meta.main) {
  const render = renderers[process.argv[2] ?? '']
  if (!render) throw new Error(`Usage: describe.ts ${Object.keys(renderers).join('|')}`)
  process.stdout.write(render(await loadEntries()))
}
