// Rules against spam, what they matched and what waits because of them, as staff see it.
import type { AdminHeldPost, AdminSpamDryRun, AdminSpamHit, AdminSpamRule } from '#entities/admin/spam.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { DryRun } from '#domain/content/spam/dry-run.ts'
import type { HeldPost } from '#domain/content/spam/held-posts.ts'
import type { HitRow } from '#domain/content/spam/hits.ts'
import type { SpamRuleRow } from '#domain/content/spam/rules.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { unique } from '#lib/collections.ts'
import { formatTime } from '#lib/time/time.ts'
import { loadAccountViews } from '../identity/accounts.ts'
import { viewStatuses } from '../content/statuses.ts'

export function renderSpamRule(rule: SpamRuleRow): AdminSpamRule {
  return {
    id: rule.id,
    name: rule.name,
    enabled: rule.enabled,
    conditions: rule.conditions,
    action: rule.action,
    hits: rule.hits,
    last_hit_at: rule.last_hit_at && formatTime(rule.last_hit_at),
    created_at: formatTime(rule.created_at),
    updated_at: formatTime(rule.updated_at),
  }
}

/** Matches with the accounts that they are about, by a constant number of queries. */
export async function viewHits(ctx: Ctx, hits: readonly HitRow[]): Promise<AdminSpamHit[]> {
  const accounts = await loadAccountViews(ctx, unique(hits.map((hit) => hit.account_id)))
  return hits.map((hit) => ({
    id: hit.id,
    action: hit.action,
    decisive: hit.decisive,
    account: accounts.get(hit.account_id) ?? null,
    status_id: hit.status_id,
    report_id: hit.report_id,
    limited: hit.warning_id !== null,
    held_post_id: hit.held_post_id,
    uri: hit.uri,
    undone_at: hit.undone_at && formatTime(hit.undone_at),
    created_at: formatTime(hit.created_at),
  }))
}

/** Posts that wait, with their authors, by a constant number of queries. */
export async function viewHeldPosts(ctx: Ctx, posts: readonly HeldPost[]): Promise<AdminHeldPost[]> {
  const accounts = await loadAccountViews(ctx, unique(posts.map((post) => post.account_id)))
  return posts.map((post) => ({
    id: post.id,
    account: accounts.get(post.account_id) ?? null,
    rule: post.rule_id === null ? null : { id: post.rule_id, name: post.rule_name },
    content: post.content,
    uri: post.uri,
    created_at: formatTime(post.created_at),
  }))
}

export async function viewHeldPost(ctx: Ctx, post: HeldPost): Promise<AdminHeldPost> {
  const [view] = await viewHeldPosts(ctx, [post])
  return view as AdminHeldPost
}

/** How many posts would have matched, with those of the newest that this viewer may see. */
export async function viewDryRun(ctx: Ctx, viewer: Viewer, run: DryRun): Promise<AdminSpamDryRun> {
  return {
    count: run.count,
    examined: run.examined,
    truncated: run.truncated,
    statuses: await viewStatuses(ctx, viewer, run.statusIds),
  }
}
