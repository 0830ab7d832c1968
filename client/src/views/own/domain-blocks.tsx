// Servers of which one sees nothing.
import { useState } from 'preact/hooks'
import type { DomainBlockPreview } from '#entities/relationship.ts'
import { del, get, post, withQuery } from '../../api/client.ts'
import { confirm } from '../../core/confirm.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import { act } from '../../data/act.ts'
import { usePages, type Pages } from '../../data/pages.ts'
import { Button } from '../../parts/controls/button.tsx'
import { Field } from '../../parts/controls/field.tsx'
import { Form } from '../../parts/controls/form.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import { PagesEnd } from '../../parts/page/paged.tsx'
import css from './own.module.css'

const path = '/api/v1/domain_blocks'

function show({ items }: Pages<string>, domain: string): void {
  void act({
    show() {
      const before = items.peek()
      items.value = before.filter((one) => one !== domain)
      return () => {
        items.value = before
      }
    },
    ask: () => del(withQuery(path, { domain })),
    done: () => void tell(t.domains.shown({ domain })),
  })
}

export function DomainBlocks() {
  const pages = usePages<string>(`${path}?limit=100`)
  const domains = pages.items.value
  return (
    <>
      <PageHeading title={t.domains.title} />
      <HideForm pages={pages} />
      {domains.length > 0 && (
        <ul class={css['rows']} aria-label={t.domains.title}>
          {domains.map((domain) => (
            <li key={domain}>
              <bdi>{domain}</bdi>
              <Button onClick={() => show(pages, domain)}>{t.domains.show}</Button>
            </li>
          ))}
        </ul>
      )}
      <PagesEnd pages={pages} isEmpty={domains.length === 0} empty={t.domains.none} />
    </>
  )
}

/** Asks what would end before it hides a server. */
function HideForm({ pages: { items } }: { pages: Pages<string> }) {
  const [typed, setTyped] = useState('')
  const domain = typed
    .trim()
    .replace(/^(?:https?:\/\/|@)/, '')
    .replace(/\/.*$/, '')
  const hide = () =>
    void act({
      show: () => () => {},
      ask: () => post(path, { body: { domain } }),
      done: () => {
        setTyped('')
        items.value = [domain, ...items.peek().filter((one) => one !== domain)]
        tell(t.domains.hidden({ domain }))
      },
    })
  const ask = async () => {
    const { body } = await get<DomainBlockPreview>(withQuery(`${path}/preview`, { domain }))
    confirm({
      title: t.profile.blockDomainQuestion({ name: domain }),
      text: t.domains.ends({ followers: body.followers_count, following: body.following_count }),
      action: t.domains.hide,
      run: hide,
    })
  }
  return (
    <div class={css['form']}>
      <Form action={t.domains.hide} onSend={ask} label={t.domains.hide}>
        <Field
          label={t.domains.name}
          hint={t.domains.hint}
          dir="ltr"
          inputMode="url"
          autoCapitalize="none"
          required
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </Form>
    </div>
  )
}
