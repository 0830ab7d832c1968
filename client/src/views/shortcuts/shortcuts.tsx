import type { ShortcutName } from '../../core/shortcuts.ts'
import { t } from '../../core/texts.ts'
import { PageHeading } from '../../parts/page/heading.tsx'
import '../../../shared/keys.css'
import table from '../../../shared/shortcuts.json'

const signs: Readonly<Record<string, string>> = table.signs
const names = Object.keys(table.keys) as ShortcutName[]

/** What the keyboard does. */
export function KeyboardShortcuts() {
  return (
    <>
      <PageHeading title={t.navigation.shortcuts} />
      <table class="keys">
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">{t.shortcuts[name]}</th>
              <td>
                {table.keys[name].map((key) => (
                  <kbd key={key}>{signs[key] ?? key}</kbd>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
