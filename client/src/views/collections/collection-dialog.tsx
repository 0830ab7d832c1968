import { useState } from 'preact/hooks'
import type { Collection } from '#entities/collection.ts'
import { t } from '../../core/texts.ts'
import { formOf, saveCollection } from '../../data/collections.ts'
import { Check, Field, TextArea } from '../../parts/controls/field.tsx'
import { Dialog } from '../../parts/controls/dialog.tsx'
import { Form } from '../../parts/controls/form.tsx'

export interface CollectionDialogProps {
  /** The one that is changed; null for a new one. */
  collection: Collection | null
  onSaved: (collection: Collection) => void
  onClose: () => void
}

export function CollectionDialog({ collection, onSaved, onClose }: CollectionDialogProps) {
  const [form, setForm] = useState(() => formOf(collection))
  const set = (part: Partial<typeof form>) => setForm({ ...form, ...part })
  return (
    <Dialog title={collection ? t.collections.edit : t.collections.make} onClose={onClose}>
      <Form
        action={t.profile.save}
        onCancel={onClose}
        onSend={async () => onSaved(await saveCollection(form, collection))}
      >
        <Field
          label={t.collections.name}
          dir="auto"
          required
          maxLength={40}
          value={form.name}
          onInput={(event) => set({ name: event.currentTarget.value })}
        />
        <TextArea
          label={t.collections.description}
          rows={2}
          maxLength={100}
          value={form.description}
          onInput={(event) => set({ description: event.currentTarget.value })}
        />
        <Field
          label={t.collections.tag}
          hint={t.collections.tagHint}
          dir="auto"
          value={form.tag}
          onInput={(event) => set({ tag: event.currentTarget.value })}
        />
        <Check
          label={t.collections.discoverable}
          checked={form.discoverable}
          onChange={(event) => set({ discoverable: event.currentTarget.checked })}
        />
        <Check
          label={t.collections.sensitive}
          checked={form.sensitive}
          onChange={(event) => set({ sensitive: event.currentTarget.checked })}
        />
      </Form>
    </Dialog>
  )
}
