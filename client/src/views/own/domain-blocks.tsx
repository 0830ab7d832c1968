// Servers of which one sees nothing.
import { useMemo, useState } from 'preact/hooks'
import type { DomainBlockPreview } from '#entities/relationship.ts'
import { del, get, post, withQuery } from '../../api/client.ts'
import { confirm } from '../../core/confirm.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import { act } from '../../data/act.ts'
import { createGone, type Gone } from '../../data/gone.ts'
import { usePages, type Pages } from '../../data/pages.ts'
import { Button } from '../../parts/controls/button.tsx'
import { Field } from '../../parts/controls/field.tsx'
import { Form } from '../../parts/controls/form.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import { PagesEnd } from '../../parts/page/paged.tsx'
import css from './own.module.css'

const path = '/api/v1/domain_blocks'

interface Blocks {
  readonly pages: Pages<string>
  /** Those that are shown again. */
  readonly gone: Gone
}

function show({ gone }: Blocks, domain: string): void {
  void act({
    show: () => gone.add(domain),
    ask: () => del(withQuery(path, { domain })),
    done: () => void tell(t.domains.shown({ domain })),
  })
}

export function DomainBlocks() {
  const pages = usePages<string>(`${path}?limit=100`)
  const gone = useMemo(createGone, [])
  const blocks = { pages, gone }
  const domains = pages.items.value.filter((domain) => !gone.has(domain))
  return (
    <>
      <PageHeading title={t.domains.title} />
      <HideForm blocks={blocks} />
      {domains.length > 0 && (
        <ul class={css['rows']} aria-label={t.domains.title}>
          {domains.map((domain) => (
            <li key={domain}>
              <bdi>{domain}</bdi>
              <Button onClick={() => show(blocks, domain)}>{t.domains.show}</Button>
            </li>
          ))}
        </ul>
      )}
      <PagesEnd pages={pages} isEmpty={domains.length === 0} empty={t.domains.none} />
    </>
  )
}

/** Asks what would end before it hides a server. */
function HideForm({ blocks: { pages, gone } }: { blocks: Blocks }) {
  const { items } = pages
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
        gone.bringBack(domain)
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
