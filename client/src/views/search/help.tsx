import { t } from '../../core/texts.ts'
import css from './search.module.css'

/** What stands in a search: what is written, and what it finds. */
const operators = (): [string, string][] => [
  [t.search.phraseExample, t.search.phrase],
  [t.search.withoutExample, t.search.without],
  ['from:me', t.search.fromMe],
  ['from:name@example.org', t.search.from],
  ['in:library', t.search.library],
  ['in:public', t.search.public],
  ['has:image', t.search.has],
  ['is:reply', t.search.is],
  ['language:eo', t.search.language],
  ['before:2026-05', t.search.before],
  ['after:2026', t.search.after],
  ['during:2026-05-17', t.search.during],
  ['@name@example.org', t.search.handle],
  ['https://…', t.search.address],
]

/** How to search; folded where there are results. */
export function SearchHelp({ isOpen = false }: { isOpen?: boolean }) {
  return (
    <details class={css['help']} open={isOpen}>
      <summary>{t.search.help}</summary>
      <dl>
        {operators().map(([written, meaning]) => (
          <div key={written}>
            <dt>
              <code dir="ltr">{written}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
