import { t } from '../../core/texts.ts'
import { PageHeading } from '../../parts/page/heading.tsx'
import { shortcuts } from './list.ts'
import css from './shortcuts.module.css'

/** As they stand on keys. */
const signs: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑', Backspace: '⌫', Enter: '↵' }

/** What the keyboard does. */
export function KeyboardShortcuts() {
  const names = [...new Set(shortcuts.map(({ name }) => name))]
  return (
    <>
      <PageHeading title={t.navigation.shortcuts} />
      <table class={css['table']}>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">{t.shortcuts[name]}</th>
              <td>
                {shortcuts
                  .filter((shortcut) => shortcut.name === name)
                  .map(({ keys }) => (
                    <kbd key={keys}>{signs[keys] ?? keys}</kbd>
                  ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
