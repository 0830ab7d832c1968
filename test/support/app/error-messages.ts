// What the source says to people when something is refused: found by reading it.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

const makers =
  'badRequest|unauthorized|forbidden|notFound|conflict|gone|invalid|tooMany|unavailable|unsupported|tooLarge'
const begins = new RegExp(
  `(?:\\b(?:${makers})\\(|new AppError\\(\\s*'\\w+',|\\bmessage =)\\s*(?=['"\`])`,
  'g',
)

/** The text of the literal that begins at `from`, with `{}` for what is put into it. */
function literalAt(text: string, from: number): string {
  const quote = text[from]
  let found = ''
  for (let at = from + 1; text[at] !== quote; at++) {
    if (text[at] === '\\') found += text[++at]
    else if (quote === '`' && text.startsWith('${', at)) {
      found += '{}'
      for (let depth = 1, inside = at + 2; ; inside++) {
        if (text[inside] === '{') depth++
        else if (text[inside] === '}' && --depth === 0) {
          at = inside
          break
        }
      }
    } else found += text[at]
  }
  return found
}

/** The messages of errors in the files under these folders of `src/`, each once, with the files that have it. */
export async function listErrorMessages(folders: readonly string[]): Promise<Map<string, string[]>> {
  const messages = new Map<string, string[]>()
  const root = path.resolve('src')
  const files = (await readdir(root, { recursive: true })).filter(
    (file) =>
      file.endsWith('.ts') && !file.endsWith('.test.ts') && folders.some((folder) => file.startsWith(folder)),
  )
  for (const file of files) {
    const text = await readFile(path.join(root, file), 'utf8')
    for (const match of text.matchAll(begins)) {
      const message = literalAt(text, match.index + match[0].length)
      messages.set(message, [...(messages.get(message) ?? []), file])
    }
  }
  return messages
}
