// One's own collections, and those that one is in.
import { useState } from 'preact/hooks'
import type { WrappedCollections } from '#entities/collection.ts'
import { t } from '../../core/texts.ts'
import { collectionsOf } from '../../data/collections.ts'
import { useQuery } from '../../data/query.ts'
import { account } from '../../data/session.ts'
import { CollectionList } from '../../parts/collection/collection-list.tsx'
import { Button } from '../../parts/controls/button.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import noteCss from '../../parts/page/note.module.css'
import { Problem } from '../../parts/page/problem.tsx'
import { navigate } from '../../router/router.ts'
import { CollectionDialog } from './collection-dialog.tsx'
import css from './collections.module.css'

export function Collections() {
  const own = account.value.data?.id
  const mine = useQuery<WrappedCollections>(own === undefined ? null : collectionsOf(own))
  const others = useQuery<WrappedCollections>(
    own === undefined ? null : `/api/v1/accounts/${own}/in_collections?limit=40`,
  )
  const [isOpen, setOpen] = useState(false)
  const collections = mine.data?.collections
  const withMe = others.data?.collections ?? []
  return (
    <>
      <PageHeading title={t.collections.title}>
        <Button look="main" onClick={() => setOpen(true)}>
          {t.collections.make}
        </Button>
      </PageHeading>
      <p class={noteCss['about']}>{t.collections.about}</p>
      {mine.error !== null && !collections && <Problem text={mine.error} />}
      {collections?.length === 0 && <p class={noteCss['none']}>{t.collections.none}</p>}
      {collections && collections.length > 0 && (
        <CollectionList name={t.collections.title} collections={collections} />
      )}
      {withMe.length > 0 && (
        <>
          <h2 class={css['heading']}>{t.collections.withYou}</h2>
          <CollectionList name={t.collections.withYou} collections={withMe} />
        </>
      )}
      {isOpen && (
        <CollectionDialog
          collection={null}
          onClose={() => setOpen(false)}
          onSaved={({ id }) => navigate(`/collections/${id}`)}
        />
      )}
    </>
  )
}
