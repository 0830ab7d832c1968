// What a recipient's notification policy says to a candidate: part of the one condition of `notify`.
import { sql, type RawBuilder } from 'kysely'
import { automatedTypes } from '#domain/identity/accounts/profile/automated.ts'
import { follows, staffMention, type CandidateRows } from './may-notify.ts'
import { reactionKind } from './queries.ts'

/** The kinds a policy is asked about: what others do to somebody. All else is news of one's own choosing. */
const filterable = [
  'mention',
  'reblog',
  'follow',
  'follow_request',
  'favourite',
  'quote',
  'added_to_collection',
  reactionKind,
]

const day = 86_400_000
/** So long somebody counts as new, and a follow as not yet one, in milliseconds. */
const newAccount = 30 * day
const newFollow = 3 * day
/** Levels of a thread that are looked through for a message of the recipient. */
const threadDepth = 100

/** `policy`: of the recipient, left joined: a missing one has the defaults. `facts`: joined, see `candidateFacts`. */
interface PolicedRows extends CandidateRows {
  policy: string
  facts: string
}

function permitted(candidate: string): RawBuilder<boolean> {
  const c = sql.id(candidate)
  return sql`exists (
  select 1 from notification_permissions pp
  where pp.account_id = ${c}.account_id and pp.from_account_id = ${c}.from_account_id offset 0)`
}

function followedForLong(candidate: string, now: Date): RawBuilder<boolean> {
  const c = sql.id(candidate)
  return sql`exists (
    select 1 from follows pf where pf.account_id = ${c}.from_account_id and pf.target_account_id = ${c}.account_id
      and pf.created_at <= ${new Date(now.getTime() - newFollow)} offset 0)`
}

/** Somewhere above in the thread the recipient wrote to the sender directly. */
function answersRecipient({ candidate, status }: CandidateRows): RawBuilder<boolean> {
  const [c, s] = [sql.id(candidate), sql.id(status)]
  return sql`exists (
  with recursive up (id, parent_id, account_id, visibility, depth) as (
    select t.id, t.in_reply_to_id, t.account_id, t.visibility, 1 from statuses t where t.id = ${s}.in_reply_to_id
    union all
    select t.id, t.in_reply_to_id, t.account_id, t.visibility, up.depth + 1
    from up join statuses t on t.id = up.parent_id where up.depth < ${sql.lit(threadDepth)})
  select 1 from up
  where up.account_id = ${c}.account_id and up.visibility = 'direct' and exists (
    select 1 from mentions pm
    where pm.status_id = up.id and pm.account_id = ${c}.from_account_id and not pm.silent offset 0))`
}

/**
 * What several rules ask of a candidate, looked up once: `followed` and `from_staff`, and `said`, what the strictest of
 * the policy's rules that meet it says, or null. A lateral join of its own for each: a subquery costs as often as it is
 * written, when the statement is planned and whenever it begins, whether it is run or not.
 */
export function candidateFacts(rows: PolicedRows, now: Date): RawBuilder<unknown> {
  const { candidate, facts } = rows
  return sql`
    cross join lateral (
      select k.followed, k.from_staff, ${strictest(rows, { known: 'k', now })} as said
      from (select ${follows(candidate)} as followed, ${staffMention(candidate)} as from_staff offset 0) k
      offset 0) ${sql.ref(facts)}`
}

/** `drop` is less than `filter`, as words are, and null is no answer. Cheap conditions come first. */
function strictest(rows: PolicedRows, { known, now }: { known: string; now: Date }): RawBuilder<unknown> {
  const [c, s, sender] = [sql.id(rows.candidate), sql.id(rows.status), sql.id(rows.sender)]
  const followed = sql`${sql.id(known)}.followed`
  const says = (rule: string, standard: 'accept' | 'filter', meets: RawBuilder<boolean>) => {
    const value = sql`coalesce(${sql.ref(`${rows.policy}.${rule}`)}, ${sql.lit(standard)})`
    return sql`case when ${value} <> 'accept' and ${meets} then ${value} end`
  }
  return sql`case when ${c}.type = any(${filterable}::text[]) then least(
    ${says('for_limited_accounts', 'filter', sql`${sender}.silenced_at is not null and not ${followed}`)},
    ${says('for_not_following', 'accept', sql`not ${followed}`)},
    ${says('for_not_followers', 'accept', sql`not ${followedForLong(rows.candidate, now)}`)},
    ${says('for_new_accounts', 'accept', sql`${sender}.created_at > ${new Date(now.getTime() - newAccount)} and not ${followed}`)},
    ${says('for_bots', 'accept', sql`${sender}.actor_type = any(${automatedTypes}::text[]) and not ${followed}`)},
    ${says('for_private_mentions', 'filter', sql`${c}.type = 'mention' and ${s}.visibility = 'direct' and not ${followed} and not ${answersRecipient(rows)}`)}) end`
}

/**
 * `accept`, `filter` (set aside as a request) or `drop`, the strictest of all rules that meet a candidate. Whoever was let
 * through once, and staff who write to somebody, are accepted.
 */
export function policyAnswer({ candidate, facts }: PolicedRows): RawBuilder<string> {
  const f = sql.id(facts)
  return sql`case when ${f}.said is null or ${f}.from_staff or ${permitted(candidate)} then 'accept' else ${f}.said end`
}
