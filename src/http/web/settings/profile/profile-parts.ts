// The parts of the form of a profile.
import { html } from 'hono/html'
import type { Profile } from '#entities/account.ts'
import { renderPart } from '#http/web/kit/controls.ts'
import { renderCheckbox, renderField } from '#http/web/kit/form.ts'
import type { Html } from '#http/web/kit/html.ts'
import type { PageCall } from '#http/web/kit/page.ts'
import { renderTime } from '#http/web/public/post-parts.ts'
import { textsIn } from '#lib/messages/texts.ts'

export type Shown = Omit<Profile, 'id'>
export type Field = Profile['fields'][number]

const textsOf = ({ language }: PageCall) => textsIn(language).pages.settings.profile

export function renderTexts(call: PageCall, profile: Shown): Html {
  const t = textsOf(call)
  const { limits } = call.ctx.config
  return html`${renderField({
    name: 'display_name',
    label: t.displayName,
    value: profile.display_name,
    hint: t.displayNameHint({ max: limits.displayNameCharacters }),
    required: false,
    autocomplete: 'name',
  })}
  ${renderField({
    name: 'note',
    label: t.note,
    value: profile.note,
    hint: t.noteHint({ max: limits.bioCharacters }),
    required: false,
    rows: 6,
  })}`
}

export function renderPictures(call: PageCall, profile: Shown): Html {
  const t = textsOf(call)
  return renderPart({
    id: 'pictures',
    title: t.pictures,
    hint: t.picturesHint({ megabytes: Math.floor(call.ctx.config.limits.avatarBytes / 2 ** 20) }),
    fields: [
      renderPicture(call, { name: 'avatar', label: t.avatar, profile }),
      renderPicture(call, { name: 'header', label: t.header, profile }),
    ],
  })
}

/** A picture of a profile with its description, as it is and to be replaced. */
export function renderPicture(
  call: PageCall,
  {
    name,
    label,
    profile,
  }: {
    name: 'avatar' | 'header'
    label: string
    profile: Pick<Shown, 'avatar' | 'header' | 'avatar_description' | 'header_description'>
  },
): Html {
  const t = textsOf(call)
  const url = profile[name]
  const description = profile[`${name}_description`]
  const now =
    url === null
      ? ''
      : html`<img class="now ${name}" src="${url}" alt="${description}" />
          ${renderCheckbox({ name: `remove_${name}`, label: t.remove })}`
  return html`<fieldset class="picture">
    <legend>${label}</legend>
    ${now}
    <label for="field-${name}">${url === null ? t.choose : t.replace}</label>
    <input
      id="field-${name}"
      type="file"
      name="${name}"
      accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
      data-crop="${name === 'avatar' ? '400x400' : '1500x500'}"
      data-zoom="${t.zoom}"
      data-across="${t.across}"
      data-down="${t.down}"
      data-preview="${t.preview}"
    />
    ${renderField({
      name: `${name}_description`,
      label: t.description,
      value: description,
      hint: t.descriptionHint,
      required: false,
    })}
  </fieldset>`
}

/** A line for each field that there may be: empty ones are none. */
export function renderFields(call: PageCall, profile: Shown): Html {
  const t = textsOf(call)
  const max = call.ctx.config.limits.profileFields
  const rows = Array.from({ length: max }, (_, index) => renderRow(call, index, profile.fields[index]))
  return renderPart({
    id: 'fields',
    title: t.fields,
    hint: html`${t.fieldsHint} <a href="/settings/verification">${t.toVerification}</a>`,
    fields: rows,
  })
}

function renderRow(call: PageCall, index: number, field: Field | undefined): Html {
  const t = textsOf(call)
  const number = index + 1
  const input = (part: 'name' | 'value', label: string) =>
    html`<input
      name="fields[${index}][${part}]"
      value="${field?.[part] ?? ''}"
      aria-label="${label}"
      placeholder="${part === 'name' ? t.fieldName : t.fieldValue}"
    />`
  const verified = field?.verified_at
    ? html`<small class="good">${t.verified} ${renderTime(call.language, field.verified_at)}</small>`
    : ''
  return html`<div class="pair">
    ${input('name', t.fieldNameOf({ number }))} ${input('value', t.fieldValueOf({ number }))} ${verified}
  </div>`
}

export function renderExtras(call: PageCall, profile: Shown): Html {
  const t = textsOf(call)
  const box = (
    name: 'bot' | 'show_media' | 'show_media_replies' | 'show_featured',
    label: string,
    hint: string,
  ) => renderCheckbox({ name, label, hint, checked: profile[name] })
  return renderPart({
    id: 'page',
    title: t.page,
    fields: [
      box('show_media', t.showMedia, t.showMediaHint),
      box('show_media_replies', t.showMediaReplies, t.showMediaRepliesHint),
      box('show_featured', t.showFeatured, t.showFeaturedHint),
      box('bot', t.bot, t.botHint),
    ],
  })
}
