// How a post was changed: each version, with what is new and what went.
import { diffWords } from 'diff'
import type { StatusEdit } from '#entities/status.ts'
import { formatDateTime } from '../../core/format.ts'
import { t } from '../../core/texts.ts'
import { plainTextOf } from '../../core/plain-text.ts'
import { useQuery } from '../../data/query.ts'
import { Problem } from '../../parts/page/problem.tsx'
import type { Params } from '../../router/match.ts'
import { AboutPost } from './people.tsx'
import css from './thread.module.css'

export function PostHistory({ params }: { params: Params }) {
  const { data: versions, error } = useQuery<StatusEdit[]>(`/api/v1/statuses/${params['id']}/history`)
  return (
    <AboutPost params={params} title={t.thread.history}>
      {error !== null && <Problem text={error} />}
      {versions
        ?.map((version, index) => (
          <Version key={version.created_at} version={version} before={versions[index - 1]} />
        ))
        .toReversed()}
    </AboutPost>
  )
}

function Version({ version, before }: { version: StatusEdit; before: StatusEdit | undefined }) {
  const changes = before && otherChanges(before, version)
  return (
    <article class={css['edit']} aria-label={formatDateTime(version.created_at)}>
      <h2>
        {before ? t.thread.edited : t.thread.written}{' '}
        <time dateTime={version.created_at}>{formatDateTime(version.created_at)}</time>
      </h2>
      {(version.spoiler_text !== '' || (before?.spoiler_text ?? '') !== '') && (
        <p dir="auto">
          <strong>
            <Changed from={before?.spoiler_text} to={version.spoiler_text} />
          </strong>
        </p>
      )}
      <p dir="auto">
        <Changed from={before && plainTextOf(before.content)} to={plainTextOf(version.content)} />
      </p>
      {version.poll && <p dir="auto">{version.poll.options.map(({ title }) => `○ ${title}`).join('\n')}</p>}
      {changes?.map((change) => (
        <p key={change} class={css['facts']}>
          {change}
        </p>
      ))}
    </article>
  )
}

/** Words that came are marked as inserted, those that went as deleted; without a version before, none is. */
function Changed({ from, to }: { from: string | undefined; to: string }) {
  if (from === undefined) return <>{to}</>
  return (
    <>
      {diffWords(from, to).map(({ value, added, removed }, index) => {
        if (added) return <ins key={index}>{value}</ins>
        return removed ? <del key={index}>{value}</del> : value
      })}
    </>
  )
}

function otherChanges(before: StatusEdit, after: StatusEdit): string[] {
  const idsOf = ({ media_attachments }: StatusEdit) => media_attachments.map(({ id }) => id).join()
  const textsOf = ({ media_attachments }: StatusEdit) =>
    media_attachments.map(({ description }) => description ?? '').join('\n')
  return [
    ...(idsOf(before) === idsOf(after) ? [] : [t.thread.mediaChanged]),
    ...(idsOf(before) === idsOf(after) && textsOf(before) !== textsOf(after)
      ? [t.thread.descriptionsChanged]
      : []),
    ...(before.sensitive === after.sensitive
      ? []
      : [after.sensitive ? t.thread.madeSensitive : t.thread.madePlain]),
  ]
}
