import { sql, type Selectable } from 'kysely'
import type { AccountsTable } from '#db/schema/accounts.ts'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import type { ProfileField } from '../load.ts'
import type { ProfileColumns } from '../queries.ts'
import { deleteImages, storeImage, type ImageKind, type StoredImage } from './profile-images.ts'
import type { Field } from '#lib/messages/describe-error.ts'
import { renderProfile } from './render-profile.ts'
import {
  readAttributionDomains,
  readDescription,
  readDisplayName,
  readFields,
  readNote,
} from './update-profile-rules.ts'
import type { UserSettings, Viewer } from '../viewer.ts'
import type { AccountId, UserId } from '#lib/id.ts'

/** What is left out stays as it is. */
export interface ProfileInput {
  displayName?: string | undefined
  /** Plain text. */
  note?: string | undefined
  /** The bytes of an uploaded file; null takes the picture away. */
  avatar?: Buffer | null | undefined
  header?: Buffer | null | undefined
  avatarDescription?: string | undefined
  headerDescription?: string | undefined
  locked?: boolean | undefined
  bot?: boolean | undefined
  discoverable?: boolean | undefined
  indexable?: boolean | undefined
  hideCollections?: boolean | undefined
  showMedia?: boolean | undefined
  showMediaReplies?: boolean | undefined
  showFeatured?: boolean | undefined
  attributionDomains?: readonly string[] | undefined
  fields?: readonly { name: string; value: string }[] | undefined
  /** Preferences of the user; null goes back to the default. */
  settings?: SettingsInput | undefined
}

export type SettingsInput = { [K in keyof UserSettings]?: UserSettings[K] | null }

/** The columns of an account that its owner changes. */
interface ProfileRow extends ProfileColumns, Pick<Selectable<AccountsTable>, 'note' | 'note_html'> {
  fields: ProfileField[]
  discoverable: boolean | null
  hide_collections: boolean | null
}

/**
 * Changes the viewer's profile and preferences. Emits `account.updated` when the profile is another one afterwards.
 * Replaced pictures are deleted once the change is certain. Throws `invalid` for what the limits forbid.
 */
export async function updateProfile(
  ctx: Ctx,
  viewer: Pick<Viewer, 'accountId' | 'userId'>,
  input: ProfileInput,
): Promise<void> {
  const wanted = await prepare(ctx, input)
  const pictures = await storeImages(ctx, viewer.accountId, input)
  const change = { ...wanted, ...pictures.columns }
  try {
    const replaced = await ctx.transaction(async (tx) => {
      if (input.settings) await updateSettings(tx, viewer.userId, input.settings)
      return updateAccount(tx, viewer.accountId, change)
    })
    await deleteImages(ctx, replaced)
  } catch (error) {
    await deleteImages(ctx, pictures.stored)
    throw error
  }
}

/** The columns that come from texts and switches, checked and rendered. */
async function prepare(ctx: Ctx, input: ProfileInput): Promise<Partial<ProfileRow>> {
  const { limits } = ctx.config
  const note = input.note === undefined ? undefined : readNote(input.note, limits)
  const fields = input.fields === undefined ? undefined : readFields(input.fields, limits)
  const html = await renderProfile(ctx, { note: note ?? '', fields: fields ?? [] })
  const describe = (name: Field, text: string | undefined) =>
    text === undefined ? undefined : readDescription(name, text, limits)
  return given({
    display_name: input.displayName === undefined ? undefined : readDisplayName(input.displayName, limits),
    note,
    note_html: note === undefined ? undefined : html.noteHtml,
    fields: fields?.map((field, index) => ({
      ...field,
      html: html.fieldsHtml[index] ?? '',
      verified_at: null,
    })),
    actor_type: input.bot === undefined ? undefined : input.bot ? 'Service' : 'Person',
    locked: input.locked,
    discoverable: input.discoverable,
    indexable: input.indexable,
    hide_collections: input.hideCollections,
    show_media: input.showMedia,
    show_media_replies: input.showMediaReplies,
    show_featured: input.showFeatured,
    attribution_domains: input.attributionDomains && readAttributionDomains(input.attributionDomains),
    avatar_description: describe('avatar_description', input.avatarDescription),
    header_description: describe('header_description', input.headerDescription),
  })
}

function given<T extends object>(values: { [K in keyof T]: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>
}

/** Stores new pictures. When the second one is refused, the first one is deleted again. */
async function storeImages(ctx: Ctx, accountId: AccountId, input: ProfileInput) {
  const columns: Partial<ProfileRow> = {}
  const stored: (string | null)[] = []
  const store = async (kind: ImageKind): Promise<StoredImage | null | undefined> => {
    const bytes = input[kind]
    if (!bytes) return bytes
    const picture = await storeImage(ctx, accountId, kind, bytes)
    stored.push(picture.key, picture.staticKey)
    return picture
  }
  try {
    const avatar = await store('avatar')
    const header = await store('header')
    if (avatar !== undefined) {
      Object.assign(columns, {
        avatar_key: avatar?.key ?? null,
        avatar_static_key: avatar?.staticKey ?? null,
      })
    }
    if (header !== undefined) {
      Object.assign(columns, {
        header_key: header?.key ?? null,
        header_static_key: header?.staticKey ?? null,
      })
    }
    if (avatar === null) columns.avatar_description = ''
    if (header === null) columns.header_description = ''
    return { columns, stored }
  } catch (error) {
    await deleteImages(ctx, stored)
    throw error
  }
}

/** Writes preferences of a user; null goes back to the default. */
export async function updateSettings(tx: Tx, userId: UserId, settings: SettingsInput): Promise<void> {
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined)
  const unset = entries.filter(([, value]) => value === null).map(([name]) => name)
  const set = Object.fromEntries(entries.filter(([, value]) => value !== null))
  await sql`
    update users set settings = (settings - ${unset}::text[]) || ${JSON.stringify(set)}::jsonb
    where id = ${userId}`.execute(tx.db)
  if ('noindex' in settings) await showAnew(tx, userId)
}

/** The one preference that others see. */
async function showAnew(tx: Tx, userId: UserId): Promise<void> {
  await sql`
    update accounts set version = version + 1
    where id = (select account_id from users where id = ${userId})`.execute(tx.db)
}

/** Writes what differs. Returns the keys of the files that are named no more. */
async function updateAccount(tx: Tx, id: AccountId, change: Partial<ProfileRow>): Promise<(string | null)[]> {
  const { rows } = await sql<ProfileRow>`
    select display_name, note, note_html, fields, actor_type, locked, discoverable, indexable, hide_collections,
      show_media, show_media_replies, show_featured, attribution_domains, avatar_key, avatar_static_key,
      avatar_description, header_key, header_static_key, header_description
    from accounts where id = ${id} and deleted_at is null for update`.execute(tx.db)
  const before = rows[0]
  if (!before) throw notFound()
  const after = { ...before, ...change }
  after.fields = keepVerified(before.fields, after.fields)
  const differing = Object.keys(change) as (keyof ProfileRow)[]
  if (!differing.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))) return []
  await tx.db
    .updateTable('accounts')
    .set((eb) => ({
      ...after,
      fields: JSON.stringify(after.fields),
      version: eb('version', '+', 1),
      updated_at: new Date(tx.clock.now()),
    }))
    .where('id', '=', id)
    .execute()
  await tx.emit({ type: 'account.updated', accountId: id })
  const kept = new Set([after.avatar_key, after.avatar_static_key, after.header_key, after.header_static_key])
  const named = [before.avatar_key, before.avatar_static_key, before.header_key, before.header_static_key]
  return named.filter((key) => !kept.has(key))
}

/** A link stays verified as long as it is the same one. */
function keepVerified(before: readonly ProfileField[], after: readonly ProfileField[]): ProfileField[] {
  return after.map((field) => {
    const same = before.find((old) => old.value === field.value)
    return { name: field.name, value: field.value, html: field.html, verified_at: same?.verified_at ?? null }
  })
}
