// Filtering a post, or a word that stands in it: by a filter that there is, or by a new one.
import { useState } from 'preact/hooks'
import type { Filter } from '#entities/filter.ts'
import type { Status } from '#entities/status.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import { addKeyword, addStatus, filtersPath } from '../../data/filters.ts'
import { useQuery } from '../../data/query.ts'
import { Button } from '../controls/button.tsx'
import { Choices, Check, Field, Select } from '../controls/field.tsx'
import { Dialog } from '../controls/dialog.tsx'
import { Form } from '../controls/form.tsx'
import { Problem } from '../page/problem.tsx'
import { FilterForm } from './filter-form.tsx'
import css from './filter.module.css'

export interface FilterPostDialogProps {
  status: Status
  onClose: () => void
}

type What = 'post' | 'word'

export function FilterPostDialog({ status, onClose }: FilterPostDialogProps) {
  const { data: filters, error } = useQuery<Filter[]>(filtersPath)
  const [what, setWhat] = useState<What>('post')
  const [word, setWord] = useState({ keyword: '', wholeWord: true })
  const [isNew, setNew] = useState(false)
  const done = (filter: Filter) => {
    onClose()
    tell(t.filters.filtered({ title: filter.title }))
  }
  const add = async (filter: Filter) => {
    await (what === 'post' ? addStatus(filter, status) : addKeyword(filter, word))
    done(filter)
  }
  if (isNew || filters?.length === 0)
    return (
      <Dialog title={t.filters.filterPost} onClose={onClose} size="wide">
        <What what={what} set={setWhat} />
        <FilterForm
          key={what}
          filter={null}
          isForPost={what === 'post'}
          onCancel={onClose}
          onSaved={async (filter) => {
            if (what === 'post') await addStatus(filter, status)
            done(filter)
          }}
        />
      </Dialog>
    )
  return (
    <Dialog title={t.filters.filterPost} onClose={onClose}>
      {error !== null && <Problem text={error} />}
      {filters && (
        <>
          <What what={what} set={setWhat} />
          <Existing
            filters={filters}
            add={add}
            onNew={() => setNew(true)}
            {...(what === 'word' && { word, setWord })}
          />
        </>
      )}
    </Dialog>
  )
}

const What = ({ what, set }: { what: What; set: (what: What) => void }) => (
  <Choices
    legend={t.filters.what}
    options={[
      { value: 'post', label: t.filters.thisPost },
      { value: 'word', label: t.filters.aWord },
    ]}
    value={what}
    onChange={set}
  />
)

interface Word {
  keyword: string
  wholeWord: boolean
}

interface ExistingProps {
  filters: readonly Filter[]
  add: (filter: Filter) => Promise<void>
  onNew: () => void
  word?: Word
  setWord?: (word: Word) => void
}

/** Which of the filters it is added to, with the word where it is one. */
function Existing({ filters, add, onNew, word, setWord }: ExistingProps) {
  const [id, setId] = useState(filters[0]?.id ?? '')
  const send = async () => {
    const filter = filters.find((one) => one.id === id)
    if (filter) await add(filter)
  }
  return (
    <div class={css['section']}>
      <Form
        action={t.filters.add}
        onSend={send}
        more={
          <Button look="plain" onClick={onNew}>
            {t.filters.make}
          </Button>
        }
      >
        {word && setWord && (
          <>
            <Field
              label={t.filters.word}
              dir="auto"
              required
              maxLength={512}
              value={word.keyword}
              onInput={(event) => setWord({ ...word, keyword: event.currentTarget.value })}
            />
            <Check
              label={t.filters.wholeWord}
              checked={word.wholeWord}
              onChange={(event) => setWord({ ...word, wholeWord: event.currentTarget.checked })}
            />
          </>
        )}
        <Select
          label={t.filters.which}
          value={id}
          options={filters.map((filter): [string, string] => [filter.id, filter.title])}
          onChange={setId}
        />
      </Form>
    </div>
  )
}
