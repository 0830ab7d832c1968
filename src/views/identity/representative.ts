// Who stands for somebody that is not there any more, or was never named: the server itself, as an account.
import type { AdminAccount } from '#entities/admin/account.ts'
import type { AccountRow } from '#domain/identity/accounts/load.ts'
import { instanceActorName } from '#domain/server/instance/urls.ts'
import type { Config } from '#ports/ctx.ts'
import { formatTime } from '#lib/time/time.ts'
import { renderAccount, renderAccountStatic } from '../render/account.ts'
import { asId, type AccountId } from '#lib/id.ts'

/** That of the instance actor in Mastodon: no account has it. */
const representativeId = '-99'
const nobody = { followers_count: 0, following_count: 0, statuses_count: 0, last_status_at: null }

/** The server as an Admin::Account: apps cannot read an entity that has none where one belongs. */
export function renderRepresentative(config: Config): AdminAccount {
  const row = toRow(config)
  return {
    id: row.id,
    username: row.username,
    domain: null,
    created_at: formatTime(row.created_at),
    email: null,
    ip: null,
    ips: [],
    locale: null,
    invite_request: null,
    role: null,
    confirmed: false,
    approved: false,
    disabled: false,
    suspended: false,
    silenced: false,
    sensitized: false,
    account: renderAccount(renderAccountStatic(config, { row, emojis: [], moved: null }), nobody),
  }
}

function toRow(config: Config): AccountRow {
  return {
    id: asId<AccountId>(representativeId),
    username: instanceActorName(config),
    domain: null,
    display_name: '',
    note: '',
    note_html: '',
    fields: [],
    actor_type: 'Application',
    locked: true,
    discoverable: false,
    indexable: false,
    hide_collections: true,
    noindex: true,
    show_media: true,
    show_media_replies: true,
    show_featured: true,
    avatar_key: null,
    avatar_static_key: null,
    avatar_description: '',
    header_key: null,
    header_static_key: null,
    header_description: '',
    avatar_remote_url: null,
    header_remote_url: null,
    files_refused: false,
    memorial: false,
    moved_to_account_id: null,
    silenced_at: null,
    suspended_at: null,
    uri: `${config.baseUrl}/actor`,
    url: `${config.baseUrl}/about`,
    version: 0,
    created_at: new Date(0),
    role_id: null,
    role_name: null,
    role_color: null,
    role_highlighted: null,
  }
}
