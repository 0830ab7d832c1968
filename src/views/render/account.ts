import type { AccountRole } from '#entities/role.ts'
import type { Account, FeatureApproval, Field } from '#entities/account.ts'
import type { CustomEmoji } from '#entities/emoji.ts'
import type { Config } from '#ports/ctx.ts'
import { actorUri, mediaUrl, profileUrl } from '#domain/server/instance/urls.ts'
import { formatAcct } from '#lib/acct.ts'
import { keptOpening, withJson } from '#lib/json/json-text.ts'
import { formatCoarse, formatDate, formatTime } from '#lib/time/time.ts'
import { isAutomated } from '#domain/identity/accounts/profile/automated.ts'
import type { AccountCounts, AccountRow, ProfileField } from '#domain/identity/accounts/load.ts'

/** The part of an Account that is the same for everyone and changes only with its version. */
export type AccountStatic = Omit<Account, keyof AccountCounts>

export interface AccountParts {
  row: AccountRow
  emojis: CustomEmoji[]
  /** The account it moved to, rendered. */
  moved: Account | null
}

/** Account (https://docs.joinmastodon.org/entities/Account/) but for its counters. */
export function renderAccountStatic(config: Config, parts: AccountParts): AccountStatic {
  const { row } = parts
  const hidden = row.suspended_at !== null
  return {
    id: row.id,
    username: row.username,
    acct: formatAcct(row.username, row.domain),
    display_name: hidden ? '' : row.display_name,
    locked: !hidden && row.locked,
    bot: !hidden && isAutomated(row.actor_type),
    discoverable: hidden ? false : row.discoverable,
    indexable: !hidden && row.indexable,
    group: row.actor_type === 'Group',
    created_at: formatCoarse(row.created_at),
    note: hidden ? '' : row.note_html,
    url: row.url ?? profileUrl(config, row.username),
    uri: row.uri ?? actorUri(config, row.username),
    ...renderImages(config, row, hidden),
    hide_collections: row.hide_collections,
    noindex: row.domain === null ? row.noindex : undefined,
    show_media: row.show_media,
    show_media_replies: row.show_media_replies,
    show_featured: row.show_featured,
    feature_approval: renderFeatureApproval(row),
    emojis: hidden ? [] : parts.emojis,
    roles: row.domain === null ? renderRoles(row, hidden) : undefined,
    fields: hidden ? [] : row.fields.map(renderField),
    moved: hidden ? undefined : (parts.moved ?? undefined),
    suspended: hidden || undefined,
    limited: row.silenced_at !== null || undefined,
    memorial: row.memorial || undefined,
  }
}

/** Who may put the account into a collection: whoever can find it, if it wants to be found. */
function renderFeatureApproval(row: AccountRow): FeatureApproval {
  const open = row.discoverable === true && row.domain === null && row.suspended_at === null
  return { automatic: open ? ['public'] : [], manual: [], current_user: open ? 'automatic' : 'denied' }
}

const missingImage = ({ baseUrl }: Config, kind: 'avatar' | 'header') =>
  `${baseUrl}/${kind}s/original/missing.png`

/** Of another server's account by an address that fetches it: apps keep the first one they are told. */
function uncopiedImage(config: Config, row: AccountRow, kind: 'avatar' | 'header'): string {
  const isThere = row.domain !== null && row[`${kind}_remote_url`] !== null && !row.files_refused
  return isThere ? `${config.baseUrl}/media_proxy/accounts/${row.id}/${kind}` : missingImage(config, kind)
}

function renderImages(config: Config, row: AccountRow, hidden: boolean) {
  const url = (key: string | null, kind: 'avatar' | 'header') => {
    if (hidden) return missingImage(config, kind)
    return key === null ? uncopiedImage(config, row, kind) : mediaUrl(config, key)
  }
  return {
    avatar: url(row.avatar_key, 'avatar'),
    avatar_static: url(row.avatar_static_key ?? row.avatar_key, 'avatar'),
    avatar_description: hidden ? '' : row.avatar_description,
    header: url(row.header_key, 'header'),
    header_static: url(row.header_static_key ?? row.header_key, 'header'),
    header_description: hidden ? '' : row.header_description,
  }
}

function renderRoles(
  { role_id: id, role_name: name, role_color: color, role_highlighted }: AccountRow,
  hidden: boolean,
): AccountRole[] {
  const isShown = !hidden && role_highlighted && id !== null && name !== null && color !== null
  return isShown ? [{ id, name, color }] : []
}

function renderField(field: ProfileField): Field {
  return {
    name: field.name,
    value: field.html,
    verified_at: field.verified_at === null ? null : formatTime(new Date(field.verified_at)),
  }
}

/** The whole Account. */
export function renderAccount(fixed: AccountStatic, counts: AccountCounts): Account {
  const counted = {
    followers_count: counts.followers_count,
    following_count: counts.following_count,
    statuses_count: counts.statuses_count,
    last_status_at: counts.last_status_at === null ? null : formatDate(counts.last_status_at),
  }
  let rest: string | undefined
  return withJson(
    { ...fixed, ...counted },
    {
      writeTo(out) {
        out.bytes(keptOpening(fixed))
        out.text((rest ??= JSON.stringify(counted).slice(1)))
      },
    },
  )
}
