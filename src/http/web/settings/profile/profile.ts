// What others see of somebody: names, text, pictures, fields, and what stands on their page.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { updateProfile, type ProfileInput } from '#domain/identity/accounts/profile/update-profile.ts'
import type { Profile } from '#entities/account.ts'
import { isTree, isUploadedFile } from '#http/kit/params/params.ts'
import { readImage } from '#http/kit/params/read-image.ts'
import { cropUrl } from '#http/web/kit/assets.ts'
import { isTicked } from '#http/web/kit/controls.ts'
import { forViewerAt } from '#http/web/kit/for-viewer.ts'
import { renderForm, textParam } from '#http/web/kit/form.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewProfile } from '#views/identity/profile.ts'
import { renderSettings, saveAndReturn } from '../settings-page.ts'
import {
  renderExtras,
  renderFields,
  renderPictures,
  renderTexts,
  type Field,
  type Shown,
} from './profile-parts.ts'

const path = '/settings/profile'
/** Bytes that are taken at all; the server's own limit is told in words. */
const fileBytes = 64 * 1024 * 1024
const pictures = ['avatar', 'header'] as const

async function show(
  call: PageCall,
  viewer: Viewer,
  refused?: { entered: ProfileInput; problem: string },
): Promise<Response> {
  const t = textsIn(call.language).pages.settings
  const profile = await viewProfile(call.ctx, viewer.accountId)
  const shown = refused ? withEntered(profile, refused.entered) : profile
  const form = renderForm(call, {
    action: path,
    files: true,
    problem: refused?.problem ?? null,
    fields: [
      renderTexts(call, shown),
      renderPictures(call, shown),
      renderFields(call, shown),
      renderExtras(call, shown),
    ],
    submit: t.save,
  })
  const body = html`<p>${t.profile.hint} <a href="/@${viewer.username}">${t.profile.look}</a></p>
    ${form}`
  return renderSettings(call, {
    title: t.places[path].name,
    body,
    pictures: true,
    script: cropUrl,
    problem: refused?.problem,
  })
}

/** What was sent in the place of what is kept, so that nobody has to write it again. */
function withEntered(profile: Profile, entered: ProfileInput): Shown {
  return {
    ...profile,
    display_name: entered.displayName ?? '',
    note: entered.note ?? '',
    avatar_description: entered.avatarDescription ?? '',
    header_description: entered.headerDescription ?? '',
    fields: (entered.fields ?? []).map((field) => ({ ...field, verified_at: null })),
    bot: entered.bot ?? false,
    show_media: entered.showMedia ?? false,
    show_media_replies: entered.showMediaReplies ?? false,
    show_featured: entered.showFeatured ?? false,
  }
}

/** Boxes that are not ticked are not sent. */
function readTexts({ params }: PageCall): ProfileInput {
  return {
    displayName: textParam(params, 'display_name'),
    note: textParam(params, 'note').replaceAll('\r\n', '\n'),
    avatarDescription: textParam(params, 'avatar_description'),
    headerDescription: textParam(params, 'header_description'),
    fields: readFields(params['fields']),
    bot: isTicked(params, 'bot'),
    showMedia: isTicked(params, 'show_media'),
    showMediaReplies: isTicked(params, 'show_media_replies'),
    showFeatured: isTicked(params, 'show_featured'),
  }
}

function readFields(sent: unknown): Pick<Field, 'name' | 'value'>[] {
  if (!isTree(sent)) return []
  const rows = Object.values(sent).filter(isTree)
  return rows.map((row) => ({ name: textParam(row, 'name'), value: textParam(row, 'value') }))
}

/** Pictures that were sent, and those that are to go: null. A new one counts more than its removal. */
async function readPictures({ ctx, params }: PageCall): Promise<Pick<ProfileInput, 'avatar' | 'header'>> {
  const read: Pick<ProfileInput, 'avatar' | 'header'> = {}
  for (const name of pictures) {
    const file = params[name]
    // What no file was chosen for is sent as an empty one.
    if (isUploadedFile(file) && file.size > 0)
      read[name] = await readImage(name, file, ctx.config.limits.avatarBytes)
    else if (isTicked(params, `remove_${name}`)) read[name] = null
  }
  return read
}

async function save(call: PageCall, viewer: Viewer): Promise<Response> {
  const entered = readTexts(call)
  return saveAndReturn(
    call,
    path,
    async () => updateProfile(call.ctx, viewer, { ...entered, ...(await readPictures(call)) }),
    (problem) => show(call, viewer, { entered, problem }),
  )
}

const forViewer = forViewerAt(path)

export const pages: readonly Page[] = [
  { method: 'GET', path: '/settings/profile', handle: forViewer((call, viewer) => show(call, viewer)) },
  { method: 'POST', path: '/settings/profile', upload: fileBytes, handle: forViewer(save) },
]
