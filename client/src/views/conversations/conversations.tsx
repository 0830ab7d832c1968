import { t } from '../../core/texts.ts'
import { compose } from '../../data/compose.ts'
import { Button } from '../../parts/controls/button.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import { ConversationList } from './list.tsx'

export function ConversationsView() {
  return (
    <>
      <PageHeading title={t.navigation.conversations}>
        <Button onClick={() => compose({ kind: 'message' })}>{t.conversations.begin}</Button>
      </PageHeading>
      <ConversationList />
    </>
  )
}
