// One collection: whom it recommends, and for its owner what can be changed.
import { useState } from 'preact/hooks'
import type { Account } from '#entities/account.ts'
import type { Collection, CollectionItem, CollectionWithAccounts } from '#entities/collection.ts'
import { confirm } from '../../core/confirm.ts'
import { formatNumber } from '../../core/format.ts'
import { t } from '../../core/texts.ts'
import { deleteCollection, pathOfCollection, removeItem } from '../../data/collections.ts'
import { useQuery } from '../../data/query.ts'
import { account as self } from '../../data/session.ts'
import { AccountItem } from '../../parts/account/account-list.tsx'
import { AccountLink, nameOf } from '../../parts/account/account-name.tsx'
import { FollowButton } from '../../parts/account/follow-button.tsx'
import { Button } from '../../parts/controls/button.tsx'
import { IconButton } from '../../parts/controls/icon-button.tsx'
import { Menu, type MenuItem } from '../../parts/controls/menu.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import listCss from '../../parts/page/list.module.css'
import noteCss from '../../parts/page/note.module.css'
import { Problem } from '../../parts/page/problem.tsx'
import type { Params } from '../../router/match.ts'
import { goBack, navigate } from '../../router/router.ts'
import { AddDialog } from './add-dialog.tsx'
import { CollectionDialog } from './collection-dialog.tsx'
import css from './collections.module.css'

export function CollectionView({ params: { id = '' } }: { params: Params }) {
  const { data, error } = useQuery<CollectionWithAccounts>(pathOfCollection(id))
  return (
    <>
      <PageHeading title={data?.collection.name ?? t.collections.one}>
        <IconButton icon="back" label={t.thread.back} onClick={() => goBack('/collections')} />
      </PageHeading>
      {error !== null && !data && <Problem text={error} />}
      {data && <Whole {...data} />}
    </>
  )
}

type Open = 'edit' | 'add' | null

function Whole({ collection, accounts }: CollectionWithAccounts) {
  const [open, setOpen] = useState<Open>(null)
  const [isShown, setShown] = useState(!collection.sensitive)
  const people = new Map(accounts.map((one) => [one.id, one]))
  const owner = people.get(collection.account_id)
  const isOwn = collection.account_id === self.value.data?.id
  const close = () => setOpen(null)
  return (
    <>
      <div class={css['head']}>
        {collection.description !== '' && <p dir="auto">{collection.description}</p>}
        <p class={css['facts']}>
          {owner && (
            <>
              {t.collections.by} <AccountLink account={owner} />
            </>
          )}
          {collection.tag !== null && (
            <a href={`/tags/${encodeURIComponent(collection.tag.name)}`}>#{collection.tag.name}</a>
          )}
          <span>
            {t.collections.people({
              count: collection.items.length,
              shown: formatNumber(collection.items.length),
            })}
          </span>
        </p>
        {isOwn && (
          <p class={css['buttons']}>
            <Button look="main" onClick={() => setOpen('add')}>
              {t.collections.add}
            </Button>
            <Button onClick={() => setOpen('edit')}>{t.collections.edit}</Button>
            <Menu label={t.post.more} items={() => itemsOf(collection)} />
          </p>
        )}
      </div>
      {isShown ? (
        <Members collection={collection} people={people} isOwn={isOwn} />
      ) : (
        <p class={noteCss['none']}>
          {t.collections.isSensitive} <Button onClick={() => setShown(true)}>{t.post.showAnyway}</Button>
        </p>
      )}
      {open === 'edit' && <CollectionDialog collection={collection} onSaved={close} onClose={close} />}
      {open === 'add' && <AddDialog collection={collection} onClose={close} />}
    </>
  )
}

const itemsOf = (collection: Collection): MenuItem[] => [
  {
    label: t.collections.delete,
    icon: 'trash',
    isAlarming: true,
    run: () =>
      confirm({
        title: t.collections.deleteQuestion({ name: collection.name }),
        action: t.collections.delete,
        run: () =>
          void deleteCollection(collection).then(
            (isDone) => isDone && navigate('/collections', { replace: true }),
          ),
      }),
  },
]

interface MembersProps {
  collection: Collection
  people: ReadonlyMap<string, Account>
  isOwn: boolean
}

function Members({ collection, people, isOwn }: MembersProps) {
  const members = collection.items.flatMap((item) => {
    const account = people.get(item.account_id)
    return account ? [{ item, account }] : []
  })
  if (members.length === 0) return <p class={noteCss['none']}>{t.collections.empty}</p>
  return (
    <ul class={listCss['list']} aria-label={t.collections.members}>
      {members.map(({ item, account }) => (
        <AccountItem key={item.id} account={account}>
          {item.state === 'pending' && <small>{t.collections.waits}</small>}
          <FollowButton account={account} />
          <Remove collection={collection} item={item} account={account} isOwn={isOwn} />
        </AccountItem>
      ))}
    </ul>
  )
}

interface RemoveProps {
  collection: Collection
  item: CollectionItem
  account: Account
  isOwn: boolean
}

/** By the owner, or by oneself where one does not want to be in it. */
function Remove({ collection: { id, name }, item, account, isOwn }: RemoveProps) {
  if (isOwn)
    return (
      <IconButton
        icon="close"
        label={t.collections.remove({ name: nameOf(account) })}
        onClick={() => void removeItem(id, item.id, true)}
      />
    )
  if (account.id !== self.value.data?.id) return null
  return (
    <Button
      onClick={() =>
        confirm({
          title: t.collections.leaveQuestion({ name }),
          action: t.collections.leave,
          run: () => void removeItem(id, item.id, false),
        })
      }
    >
      {t.collections.leave}
    </Button>
  )
}
