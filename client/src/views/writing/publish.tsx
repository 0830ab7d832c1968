// Pages to write on: a new post, and what another program shares.
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Status } from '#entities/status.ts'
import { t } from '../../core/texts.ts'
import { sharedCache } from '../../core/worker-messages.ts'
import { useQuery } from '../../data/query.ts'
import type { Intent } from '../../data/compose.ts'
import { ComposerSlot } from '../../parts/composer/slot.tsx'
import { Problem } from '../../parts/page/problem.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import { address, navigate } from '../../router/router.ts'

const goHome = () => navigate('/home')

const newPost: Intent = { kind: 'new' }

/** What the address asks for: `?in_reply_to_id=1`, `?quoted_status_id=1`, `?edit=1`; else a new post. */
function useIntent(): { intent: Intent | null; problem: string | null } {
  const query = new URLSearchParams(address.value.search)
  const [name, id] =
    (['in_reply_to_id', 'quoted_status_id', 'edit'] as const)
      .map((key) => [key, query.get(key)] as const)
      .find(([, value]) => value !== null) ?? []
  const { data: status, error } = useQuery<Status>(id ? `/api/v1/statuses/${encodeURIComponent(id)}` : null)
  const intent = useMemo((): Intent | null => {
    if (name === undefined) return newPost
    if (!status) return null
    if (name === 'edit') return { kind: 'edit', status }
    return name === 'in_reply_to_id' ? { kind: 'reply', to: status } : { kind: 'quote', of: status }
  }, [name, status?.id])
  return { intent, problem: error }
}

export function Publish() {
  const { intent, problem } = useIntent()
  return (
    <>
      <PageHeading title={t.compose.form}>
        <a href="/drafts">{t.compose.drafts}</a>
      </PageHeading>
      {problem !== null && <Problem text={problem} />}
      {intent && <ComposerSlot intent={intent} isMain onDone={goHome} />}
    </>
  )
}

/** Title, text and address, a line each, none twice. */
function sharedText(query: URLSearchParams): string {
  const parts = ['title', 'text', 'url'].map((name) => query.get(name)?.trim() ?? '')
  return parts
    .filter((part, index) => part !== '' && !parts.some((other, at) => at > index && other.includes(part)))
    .join('\n\n')
}

/** What the service worker laid aside, once: see worker/share.ts. */
async function takeFiles(): Promise<File[]> {
  const cache = await caches.open(sharedCache)
  const files = (await cache.keys()).map(async (request) => {
    const response = await cache.match(request)
    const name = decodeURIComponent(response?.headers.get('x-name') ?? '')
    return new File([(await response?.blob()) ?? ''], name, {
      type: response?.headers.get('content-type') ?? '',
    })
  })
  const taken = await Promise.all(files)
  await caches.delete(sharedCache)
  return taken
}

export function Share() {
  const query = address.value.search
  const [intent, setIntent] = useState<Intent | null>(null)
  useEffect(() => {
    const params = new URLSearchParams(query)
    const text = sharedText(params)
    if (!params.has('files')) return setIntent({ kind: 'share', text })
    void takeFiles().then(
      (files) => setIntent({ kind: 'share', text, files }),
      () => setIntent({ kind: 'share', text }),
    )
  }, [query])
  return (
    <>
      <PageHeading title={t.compose.form} />
      {intent && <ComposerSlot intent={intent} isMain onDone={goHome} />}
    </>
  )
}
