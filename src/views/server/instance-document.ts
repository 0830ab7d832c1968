import type { Instance, InstanceV1 } from '#entities/instance/instance.ts'
import type { Account } from '#entities/account.ts'
import type { Config, Ctx } from '#ports/ctx.ts'
import { findCampaign } from '#domain/reading/annual-reports/campaign.ts'
import { findAccountByHandle } from '#domain/identity/accounts/queries.ts'
import { findTerms, getPostCounts, getUsage } from '#domain/server/instance/document.ts'
import { apiVersions, sourceUrl, versionText } from '#domain/server/instance/document-version.ts'
import { getPeers } from '#domain/server/instance/peers.ts'
import { listRules } from '#domain/server/instance/rules.ts'
import { mayEverybodyInvite } from '#domain/identity/sign-up-restrictions/invites.ts'
import { areRegistrationsOpen } from '#domain/identity/sign-up-restrictions/registrations.ts'
import { getSettings, type Settings } from '#domain/server/instance/settings.ts'
import { getSiteUploads } from '#domain/server/instance/site-uploads.ts'
import { escapeHtml } from '#lib/html/html.ts'
import { viewAccount } from '../identity/accounts.ts'
import { viewLimits, renderTimelinesAccess } from './instance-configuration.ts'
import { renderIcons, renderThumbnail } from './site-images.ts'
import { renderRule } from './instance-texts.ts'

/** What the documents are made of, beside counts, as changes are told. */
export const instanceParts = [
  'settings',
  'rules',
  'terms_of_service',
  'site_uploads',
  'roles',
  'user',
  'account',
]

/** The languages in which the server speaks. */
const languages = ['en']

/** Instance, version 2 (https://docs.joinmastodon.org/entities/Instance/). */
export async function viewInstance(ctx: Ctx): Promise<Instance> {
  const { config } = ctx
  const settings = await getSettings(ctx)
  const [usage, rules, terms, account, campaign, uploads] = await Promise.all([
    getUsage(ctx),
    listRules(ctx),
    findTerms(ctx),
    viewContact(ctx, settings),
    findCampaign(ctx),
    getSiteUploads(ctx),
  ])
  return {
    domain: config.localDomain,
    title: settings.site_title,
    version: versionText,
    source_url: sourceUrl ?? `${config.baseUrl}/about`,
    description: settings.site_short_description,
    usage: { users: { active_month: config.limitedFederation ? 0 : usage.activeMonth } },
    thumbnail: renderThumbnail(config, uploads),
    icon: renderIcons(config, uploads),
    languages,
    configuration: {
      urls: renderUrls(config, settings, terms !== null),
      vapid: { public_key: ctx.secrets.vapid.publicKey },
      ...(await viewLimits(ctx, settings)),
      translation: { enabled: ctx.translator !== null },
      timelines_access: renderTimelinesAccess(config, settings),
      limited_federation: config.limitedFederation,
    },
    registrations: await viewRegistrations(ctx, settings),
    api_versions: apiVersions,
    contact: { email: contactEmail(config, settings), account },
    rules: rules.map(renderRule),
    wrapstodon: campaign === null ? null : String(campaign),
  }
}

/** Instance, version 1 (https://docs.joinmastodon.org/entities/V1_Instance/), with all that later clients look for. */
export async function viewInstanceV1(ctx: Ctx): Promise<InstanceV1> {
  const { config } = ctx
  const settings = await getSettings(ctx)
  const [usage, counts, peers, rules, account, uploads] = await Promise.all([
    getUsage(ctx),
    getPostCounts(ctx),
    getPeers(ctx),
    listRules(ctx),
    viewContact(ctx, settings),
    getSiteUploads(ctx),
  ])
  const registrations = await viewRegistrations(ctx, settings)
  return {
    uri: config.localDomain,
    title: settings.site_title,
    short_description: settings.site_short_description,
    description: settings.site_short_description,
    email: contactEmail(config, settings),
    version: versionText,
    urls: { streaming_api: config.streamingBaseUrl },
    stats: { user_count: usage.users, status_count: counts.posts, domain_count: peers.length },
    thumbnail: renderThumbnail(config, uploads).url,
    languages,
    registrations: registrations.enabled,
    approval_required: registrations.approval_required,
    invites_enabled: await mayEverybodyInvite(ctx),
    configuration: await viewLimits(ctx, settings),
    contact_account: account,
    rules: rules.map(renderRule),
  }
}

async function viewContact(ctx: Ctx, settings: Settings): Promise<Account | null> {
  const username = settings.site_contact_username.trim().replace(/^@/, '')
  if (username === '') return null
  const account = await findAccountByHandle(ctx, username, null)
  return account && !account.suspended_at ? viewAccount(ctx, account.id) : null
}

/** Clients expect an address: every mail domain has a postmaster (RFC 5321 section 4.5.1). */
function contactEmail(config: Config, settings: Settings): string {
  return settings.site_contact_email || `postmaster@${config.localDomain.replace(/:\d+$/, '')}`
}

function renderUrls(config: Config, settings: Settings, hasTerms: boolean) {
  return {
    streaming: config.streamingBaseUrl,
    status: settings.status_page_url || null,
    about: `${config.baseUrl}/about`,
    privacy_policy: `${config.baseUrl}/privacy-policy`,
    terms_of_service: hasTerms ? `${config.baseUrl}/terms-of-service` : null,
  }
}

async function viewRegistrations(ctx: Ctx, settings: Settings) {
  const enabled = await areRegistrationsOpen(ctx, settings)
  const approval = enabled && settings.registrations_mode === 'approved'
  const message = settings.closed_registrations_message
  return {
    enabled,
    approval_required: approval,
    reason_required: approval && settings.require_invite_text,
    message: enabled || message === '' ? null : `<p>${escapeHtml(message)}</p>`,
    min_age: settings.min_age,
    url: null,
  }
}
