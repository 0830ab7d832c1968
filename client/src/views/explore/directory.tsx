// People who want to be found: those who were here last, or came last; of all servers that are known, or of this one.
import { withQuery } from '../../api/client.ts'
import { t } from '../../core/texts.ts'
import { AccountList } from '../../parts/account/account-list.tsx'
import { Tabs } from '../../parts/controls/tabs.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import { address } from '../../router/router.ts'

interface Choice {
  isNew: boolean
  isLocal: boolean
}

const hrefOf = ({ isNew, isLocal }: Choice) =>
  withQuery('/directory', { order: isNew ? 'new' : null, local: isLocal ? true : null })

export function Directory() {
  const { searchParams } = address.peek()
  const choice = {
    isNew: searchParams.get('order') === 'new',
    isLocal: searchParams.get('local') === 'true',
  }
  const { isNew, isLocal } = choice
  const query = { order: isNew ? 'new' : 'active', ...(isLocal && { local: true }), limit: 40 }
  return (
    <>
      <PageHeading title={t.directory.title} />
      <Tabs
        label={t.directory.order}
        tabs={[
          { href: hrefOf({ isNew: false, isLocal }), name: t.directory.active },
          { href: hrefOf({ isNew: true, isLocal }), name: t.directory.new },
        ]}
      />
      <Tabs
        label={t.directory.where}
        tabs={[
          { href: hrefOf({ isNew, isLocal: false }), name: t.directory.everywhere },
          { href: hrefOf({ isNew, isLocal: true }), name: t.timeline.local },
        ]}
      />
      <AccountList name={t.directory.title} path={withQuery('/api/v1/directory', query)} />
    </>
  )
}
