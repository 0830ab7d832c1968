import { useEffect, useState } from 'preact/hooks'
import type { Account } from '#entities/account.ts'
import type { Status } from '#entities/status.ts'
import { post } from '../../api/client.ts'
import { t } from '../../core/texts.ts'
import { plainTextOf } from '../../core/plain-text.ts'
import { useQuery } from '../../data/query.ts'
import { changeRelationship, hideAuthor, relationshipOf } from '../../data/relationships.ts'
import { instance } from '../../data/session.ts'
import { Button } from '../controls/button.tsx'
import { Dialog } from '../controls/dialog.tsx'
import { Check, TextArea } from '../controls/field.tsx'
import { Form } from '../controls/form.tsx'
import type { AccountDialogProps } from './mute-dialog.tsx'
import css from './dialogs.module.css'

/** What is only disliked is nothing for the team. */
const categories = ['dislike', 'spam', 'legal', 'violation', 'other'] as const
type Category = (typeof categories)[number]

interface Report {
  category: Category | null
  ruleIds: ReadonlySet<string>
  statusIds: ReadonlySet<string>
  comment: string
  forward: boolean
}

const blank: Report = {
  category: null,
  ruleIds: new Set(),
  statusIds: new Set(),
  comment: '',
  forward: false,
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}

export interface ReportDialogProps extends AccountDialogProps {
  /** What is reported in the first place, by this account. */
  status?: Status
}

/** What the server's team is told, and what one can do oneself. */
export function ReportDialog({ account, status, onClose }: ReportDialogProps) {
  const [report, setReport] = useState<Report>({ ...blank, statusIds: new Set(status && [status.id]) })
  const [isSent, setSent] = useState(false)
  const set = (part: Partial<Report>) => setReport({ ...report, ...part })
  const send = async () => {
    await post('/api/v1/reports', { body: bodyOf(account.id, report) })
    setSent(true)
  }
  const isForTeam = report.category !== 'dislike'
  return (
    <Dialog title={t.profile.report({ name: `@${account.acct}` })} onClose={onClose} size="wide">
      {!isSent && (
        <Form
          action={isForTeam ? t.report.send : t.compose.done}
          onCancel={onClose}
          onSend={async () => (isForTeam ? await send() : onClose())}
        >
          <div class={css['report']}>
            <Reasons report={report} set={set} />
            {isForTeam && <ForTeam account={account} first={status} report={report} set={set} />}
          </div>
        </Form>
      )}
      {isSent && <p role="status">{t.report.sent}</p>}
      {(isSent || !isForTeam) && <ForOneself account={account} />}
      {isSent && (
        <p class={css['row']}>
          <Button look="main" onClick={onClose}>
            {t.compose.done}
          </Button>
        </p>
      )}
    </Dialog>
  )
}

function bodyOf(accountId: string, report: Report) {
  return {
    account_id: accountId,
    category: report.category,
    comment: report.comment,
    forward: report.forward,
    status_ids: [...report.statusIds],
    rule_ids: report.category === 'violation' ? [...report.ruleIds] : [],
  }
}

interface PartProps {
  report: Report
  set: (part: Partial<Report>) => void
}

function Reasons({ report, set }: PartProps) {
  return (
    <fieldset>
      <legend>{t.report.why}</legend>
      {categories.map((category) => (
        <label key={category}>
          <input
            type="radio"
            name="category"
            required
            checked={report.category === category}
            onChange={() => set({ category })}
          />
          <span>{t.report[category]}</span>
        </label>
      ))}
    </fieldset>
  )
}

function Rules({ report, set }: PartProps) {
  const rules = instance.value.data?.rules ?? []
  if (rules.length === 0) return null
  return (
    <fieldset>
      <legend>{t.report.rules}</legend>
      {rules.map(({ id, text }) => (
        <Check
          key={id}
          label={text}
          checked={report.ruleIds.has(id)}
          onChange={() => set({ ruleIds: toggled(report.ruleIds, id) })}
        />
      ))}
    </fieldset>
  )
}

interface ForTeamProps extends PartProps {
  account: Account
  first: Status | undefined
}

/** Which rules, which posts, and whether the other server hears of it. */
function ForTeam({ account, first, report, set }: ForTeamProps) {
  const server = account.acct.split('@')[1]
  return (
    <>
      {report.category === 'violation' && <Rules report={report} set={set} />}
      <Posts accountId={account.id} first={first} report={report} set={set} />
      <TextArea
        label={t.report.comment}
        rows={3}
        maxLength={1000}
        value={report.comment}
        onInput={(event) => set({ comment: event.currentTarget.value })}
      />
      {server !== undefined && (
        <Check
          label={t.report.forward({ server })}
          checked={report.forward}
          onChange={(event) => set({ forward: event.currentTarget.checked })}
        />
      )}
    </>
  )
}

/** How to see no more of somebody, whatever the team decides. */
function ForOneself({ account: { id, acct } }: { account: Account }) {
  const relationship = relationshipOf(id).value
  // The dialog belongs to a post of theirs.
  useEffect(() => () => hideAuthor(id), [id])
  if (!relationship) return null
  const name = `@${acct}`
  const { following, muting, blocking } = relationship
  return (
    <section class={css['report']} aria-label={t.report.forYourself}>
      <p>{t.report.forYourself}</p>
      <p class={css['row']} role="status">
        {following && (
          <Button onClick={() => void changeRelationship(id, 'unfollow', { show: { following: false } })}>
            {t.report.unfollow({ name })}
          </Button>
        )}
        {muting ? (
          t.post.mutedAccount({ name })
        ) : (
          <Button
            onClick={() => void changeRelationship(id, 'mute', { show: { muting: true }, isOnPost: true })}
          >
            {t.post.muteAccount({ name })}
          </Button>
        )}
        {blocking ? (
          t.post.blockedAccount({ name })
        ) : (
          <Button
            look="alarm"
            onClick={() => void changeRelationship(id, 'block', { show: blocked, isOnPost: true })}
          >
            {t.post.blockAccount({ name })}
          </Button>
        )}
      </p>
    </section>
  )
}

const blocked = { blocking: true, following: false } as const

interface PostsProps extends PartProps {
  accountId: string
  first: Status | undefined
}

function Posts({ accountId, first, report, set }: PostsProps) {
  const { data: last = [] } = useQuery<Status[]>(
    `/api/v1/accounts/${accountId}/statuses?exclude_reblogs=true&limit=20`,
  )
  const posts = first ? [first, ...last.filter(({ id }) => id !== first.id)] : last
  if (posts.length === 0) return null
  return (
    <fieldset class={css['posts']}>
      <legend>{t.report.posts}</legend>
      {posts.map((status) => (
        <Check
          key={status.id}
          label={wordsOf(status)}
          checked={report.statusIds.has(status.id)}
          onChange={() => set({ statusIds: toggled(report.statusIds, status.id) })}
        />
      ))}
    </fieldset>
  )
}

function wordsOf(status: Status): string {
  const text = plainTextOf(status.content).replaceAll(/\s+/g, ' ')
  const shown = text === '' ? t.report.mediaOnly : text
  return shown.length > 140 ? `${shown.slice(0, 139)}…` : shown
}
