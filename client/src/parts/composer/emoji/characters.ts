// The emoji of Unicode by group, with the names that CLDR has for them (through emojibase-data): one file for each
// language, loaded when somebody looks for one.
import { locale, type t } from '../../../core/texts.ts'

export interface Character {
  character: string
  name: string
  /** Name and further words, in lower case. */
  words: string
}

export type Groups = ReadonlyMap<keyof typeof t.compose.emojiGroups, readonly Character[]>
type Data = Readonly<Record<keyof typeof t.compose.emojiGroups, string>>

const files: Readonly<Record<string, () => Promise<{ default: Data }>>> = {
  en: () => import('./data/en.json'),
  de: () => import('./data/de.json'),
}

let loading: Promise<Groups> | null = null

export function loadCharacters(): Promise<Groups> {
  loading ??= readFile()
  loading.catch(() => (loading = null))
  return loading
}

async function readFile(): Promise<Groups> {
  const load = files[locale.split('-')[0] ?? 'en'] ?? files['en']
  const { default: data } = (await load?.()) ?? { default: {} as Data }
  const groups = Object.entries(data) as [keyof Data, string][]
  return new Map(groups.map(([group, lines]) => [group, lines.split('\n').map(readLine)]))
}

/** `😀 grinning face|cheerful happy`. */
function readLine(line: string): Character {
  const space = line.indexOf(' ')
  const [name = '', more = ''] = line.slice(space + 1).split('|')
  return { character: line.slice(0, space), name, words: `${name} ${more}`.toLowerCase() }
}

/** Those whose name has the text; first those with a word that begins so. */
export async function findCharacters(text: string, limit: number): Promise<Character[]> {
  const all = [...(await loadCharacters()).values()].flat()
  const typed = text.replaceAll('_', ' ')
  const rank = ({ name, words }: Character): number => {
    if (name.toLowerCase().startsWith(typed)) return 0
    if (` ${words}`.includes(` ${typed}`)) return 1
    return words.includes(typed) ? 2 : 3
  }
  const found = all.map((one) => ({ one, at: rank(one) })).filter(({ at }) => at < 3)
  return found
    .toSorted((a, b) => a.at - b.at)
    .slice(0, limit)
    .map(({ one }) => one)
}
