import { useState } from 'preact/hooks'
import type { Account } from '#entities/account.ts'
import { formatDuration } from '../../core/format.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import { changeRelationship } from '../../data/relationships.ts'
import { Button } from '../controls/button.tsx'
import { Dialog } from '../controls/dialog.tsx'
import { Check, Select } from '../controls/field.tsx'
import css from './dialogs.module.css'

export interface AccountDialogProps {
  account: Account
  onClose: () => void
}

const hour = 3_600
/** In seconds; 0 is without an end. */
const durations = [0, hour, 6 * hour, 24 * hour, 3 * 24 * hour, 7 * 24 * hour, 30 * 24 * hour] as const

/** For how long, and whether notifications are muted too. */
export function MuteDialog({ account, onClose }: AccountDialogProps) {
  const [duration, setDuration] = useState(0)
  const [notifications, setNotifications] = useState(true)
  const mute = () => {
    onClose()
    const show = { muting: true, muting_notifications: notifications }
    void changeRelationship(account.id, 'mute', { show, body: { notifications, duration } }).then(
      (isDone) => isDone && tell(t.post.mutedAccount({ name: `@${account.acct}` })),
    )
  }
  return (
    <Dialog title={t.post.muteQuestion({ name: `@${account.acct}` })} onClose={onClose}>
      <p>{t.profile.muteText}</p>
      <Select
        label={t.profile.muteFor}
        value={String(duration)}
        options={durations.map((seconds): [string, string] => [
          String(seconds),
          seconds === 0 ? t.profile.forEver : formatDuration(seconds),
        ])}
        onChange={(value) => setDuration(Number(value))}
      />
      <Check
        label={t.profile.muteNotifications}
        checked={notifications}
        onChange={(event) => setNotifications(event.currentTarget.checked)}
      />
      <p class={css['row']}>
        <Button look="main" onClick={mute}>
          {t.post.mute}
        </Button>
        <Button onClick={onClose}>{t.common.cancel}</Button>
      </p>
    </Dialog>
  )
}
