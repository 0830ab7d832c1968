import { useState } from 'preact/hooks'
import { t } from '../../core/texts.ts'
import { changeRelationship, relationshipOf } from '../../data/relationships.ts'
import { instance } from '../../data/session.ts'
import { Button } from '../../parts/controls/button.tsx'
import { Dialog } from '../../parts/controls/dialog.tsx'
import { Check, Field } from '../../parts/controls/field.tsx'
import type { AccountDialogProps } from '../../parts/account/mute-dialog.tsx'
import css from './profile.module.css'

/** What one sees of whom one follows: boosts, notifications, languages. */
export function FollowDialog({ account, onClose }: AccountDialogProps) {
  const relationship = relationshipOf(account.id).value
  const [reblogs, setReblogs] = useState(relationship?.showing_reblogs ?? true)
  const [notify, setNotify] = useState(relationship?.notifying ?? false)
  const [languages, setLanguages] = useState((relationship?.languages ?? []).join(', '))
  const save = (event: Event) => {
    event.preventDefault()
    onClose()
    const chosen = languages.split(/[\s,]+/).filter((code) => code !== '')
    const show = { showing_reblogs: reblogs, notifying: notify, languages: chosen.length > 0 ? chosen : null }
    void changeRelationship(account.id, 'follow', { show, body: { reblogs, notify, languages: chosen } })
  }
  return (
    <Dialog title={t.profile.followOptions} onClose={onClose}>
      <form onSubmit={save}>
        <Check
          label={t.profile.showBoosts}
          checked={reblogs}
          onChange={(event) => setReblogs(event.currentTarget.checked)}
        />
        <Check
          label={t.profile.notify}
          checked={notify}
          onChange={(event) => setNotify(event.currentTarget.checked)}
        />
        <Field
          label={t.profile.languages}
          hint={t.profile.languagesHint({ example: instance.value.data?.languages[0] ?? 'en' })}
          value={languages}
          onInput={(event) => setLanguages(event.currentTarget.value)}
        />
        <p class={css['row']}>
          <Button look="main" type="submit">
            {t.profile.save}
          </Button>
          <Button onClick={onClose}>{t.common.cancel}</Button>
        </p>
      </form>
    </Dialog>
  )
}
