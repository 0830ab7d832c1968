import { t } from '../core/texts.ts'
import { PageHeading } from '../parts/page/heading.tsx'

export function NotFound() {
  return (
    <>
      <PageHeading title={t.errors.missingTitle} />
      <p style={{ padding: 'var(--space-4)' }}>{t.errors.missing}</p>
    </>
  )
}
