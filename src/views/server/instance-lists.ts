import type { DomainBlock, InstanceActivity } from '#entities/instance/facts.ts'
import type { CustomEmoji } from '#entities/emoji.ts'
import type { Rule } from '#entities/instance/rule.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { getActivity } from '#domain/server/instance/activity.ts'
import { listEmojis } from '#domain/server/instance/emojis/emojis.ts'
import { getPeers, listShownDomainBlocks, searchPeers } from '#domain/server/instance/peers.ts'
import { listRules } from '#domain/server/instance/rules.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { notFound } from '#lib/errors.ts'
import { renderEmoji } from '../render/emoji.ts'
import { renderRule } from './instance-texts.ts'

export async function viewRules(ctx: Ctx): Promise<Rule[]> {
  return (await listRules(ctx)).map(renderRule)
}

export async function viewCustomEmojis(ctx: Ctx): Promise<CustomEmoji[]> {
  return (await listEmojis(ctx)).map((row) => renderEmoji(ctx.config, row))
}

/** The last twelve weeks; all numbers are strings (specification, section 2.0). Throws `not_found` when off. */
export async function viewActivity(ctx: Ctx): Promise<InstanceActivity[]> {
  if (!(await getSettings(ctx)).activity_api_enabled) throw notFound()
  return (await getActivity(ctx)).map((week) => ({
    week: String(week.start / 1000),
    statuses: String(week.statuses),
    logins: String(week.logins),
    registrations: String(week.registrations),
  }))
}

/** Known domains. Throws `not_found` when off. */
export async function viewPeers(ctx: Ctx): Promise<string[]> {
  if (!(await getSettings(ctx)).peers_api_enabled) throw notFound()
  return getPeers(ctx)
}

/** Known domains that match a text. Throws `not_found` when off. */
export async function viewPeerSearch(ctx: Ctx, text: string): Promise<string[]> {
  if (!(await getSettings(ctx)).peers_api_enabled) throw notFound()
  return searchPeers(ctx, text)
}

/** DomainBlock list, for those to whom the settings show it. Throws `not_found` for all others. */
export async function viewDomainBlocks(ctx: Ctx, viewer: Viewer | null): Promise<DomainBlock[]> {
  const settings = await getSettings(ctx)
  const isShown = (to: 'disabled' | 'users' | 'all') => to === 'all' || (to === 'users' && viewer !== null)
  if (!isShown(settings.show_domain_blocks)) throw notFound()
  const withReasons = isShown(settings.show_domain_blocks_rationale)
  const blocks = await listShownDomainBlocks(ctx)
  return blocks.map((block) => ({ ...block, comment: withReasons ? (block.comment ?? '') : null }))
}
