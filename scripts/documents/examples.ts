// The examples in documents: what stands in fences, and commands in the text.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '../..')

export interface Example {
  /** Document and line, as `docs/operators/mail.md:9`. */
  readonly place: string
  /** As the fence names it; '' where it does not. */
  readonly language: string
  readonly code: string
}

/** Those that people write. docs/command-line.md and the like are made from the code. */
const documents = ['*.md', 'docs/README.md', 'docs/{users,moderators,operators,developers}/*.md'].flatMap(
  (pattern) => globSync(pattern, { cwd: root, exclude: ['CHANGELOG.md'] }),
)

/** Texts in which commands are named besides. */
const others = ['compose*.yaml', 'Dockerfile', 'contrib/**/*'].flatMap((pattern) =>
  globSync(pattern, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))),
)

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length

/** Returns all fenced examples, without the indentation of lists that they stand in. */
export function listExamples(): Example[] {
  return documents.flatMap((document) => {
    const text = read(document)
    return [...text.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)].map((found) => {
      const [, indent = '', language = '', code = ''] = found
      const place = `${document}:${lineOf(text, found.index)}`
      return { place, language, code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), '') }
    })
  })
}

/** Returns commands that stand in the text between backticks, with their place. */
export function listMentions(): { place: string; command: string }[] {
  return [...documents, ...others].flatMap((document) => {
    const text = read(document).replaceAll(/^( *)```.*?^\1```$/gms, (block) =>
      block.replaceAll(/[^\n]/g, ' '),
    )
    return [...text.matchAll(/`((?:bin\/)?stonechat [^`]+)`/g)].map((found) => ({
      place: `${document}:${lineOf(text, found.index)}`,
      command: found[1] as string,
    }))
  })
}

/** Returns the commands of a shell example, one a line, without comments. */
export function commandsOf(code: string): string[] {
  return code
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
}

/** Variables that a line sets, where it does nothing else. */
export function settingsOf(line: string): Record<string, string> | null {
  const text = line.replace(/^export /, '')
  const pairs = [...text.matchAll(/([A-Z][A-Z0-9_]*)=("[^"]*"|'[^']*'|[^\s"'$]*)(?:\s+|$)/g)]
  if (pairs.map(([whole]) => whole).join('') !== text || pairs.length === 0) return null
  return Object.fromEntries(
    pairs.map(([, name, value]) => [name, (value ?? '').replace(/^(["'])(.*)\1$/, '$2')]),
  )
}

const ownCommand =
  /^(?:export )?((?:[A-Z_]+=\S*\s+)*)(?:\w+=\$\()?(?:docker compose exec stonechat )?(?:bin\/)?stonechat\s+(.*)$/

/** The words of a command of ours that a line runs, and the variables before it; null where it runs none. */
export function ownCommandIn(line: string): { words: string[]; env: Record<string, string> } | null {
  const [whole, settings = '', rest = ''] = ownCommand.exec(line) ?? []
  if (whole === undefined) return null
  const end = /\s*(?:[|;&>)]|$)/.exec(rest)?.index ?? rest.length
  const words = [...rest.slice(0, end).matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
  return {
    words: words.map(([, double, single, plain]) => double ?? single ?? plain ?? ''),
    env: settingsOf(settings.trim()) ?? {},
  }
}
