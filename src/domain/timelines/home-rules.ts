// What enters a home feed. One condition serves fan-out (one status, many followers), merging a newly followed
// account and rebuilding a whole feed, so the three cannot disagree.
import { sql, type RawBuilder } from 'kysely'

/**
 * The condition on `statuses s`, what it boosts `o` (left joined) and `follows f`, whose `account_id` receives.
 * Visibility is part of it: a direct status enters the feeds of followers it names. `offset 0` as in `visibleTo`.
 */
export const entersHome: RawBuilder<boolean> = sql`(
  s.deleted_at is null and (o.id is null or o.deleted_at is null)
  and (s.visibility in ('public', 'unlisted', 'private')
    or exists (select 1 from mentions hm where hm.status_id = s.id and hm.account_id = f.account_id offset 0))
  and not (s.reply and s.in_reply_to_account_id is null)
  and (f.languages is null or coalesce(o.language, s.language) is null
    or coalesce(o.language, s.language) = any(f.languages))
  and (s.in_reply_to_account_id is null or s.in_reply_to_account_id in (s.account_id, f.account_id)
    or exists (select 1 from follows hf
      where hf.account_id = f.account_id and hf.target_account_id = s.in_reply_to_account_id offset 0))
  and (o.id is null or (f.show_reblogs
    and not exists (select 1 from blocks hb where hb.account_id = o.account_id and hb.target_account_id = f.account_id offset 0)
    and not exists (select 1 from account_domain_blocks hd join accounts ha on ha.domain = hd.domain
      where hd.account_id = f.account_id and ha.id = o.account_id offset 0)))
  and not exists (select 1 from mutes hu where hu.account_id = f.account_id
    and (hu.target_account_id in (s.account_id, o.account_id) or hu.target_account_id in (
      select hm.account_id from mentions hm where hm.status_id = coalesce(o.id, s.id))))
  and not exists (select 1 from blocks hc where hc.account_id = f.account_id
    and (hc.target_account_id in (s.account_id, o.account_id) or hc.target_account_id in (
      select hm.account_id from mentions hm where hm.status_id = coalesce(o.id, s.id)))))`
