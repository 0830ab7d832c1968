import type { PreviewCard } from '#entities/preview-card.ts'
import { html } from 'hono/html'
import type { Language } from '#lib/messages/catalogue.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { icon } from '../kit/icons.ts'
import type { Html } from '../kit/html.ts'

/** The preview of a link. Films of other sites are links too: no page frames or loads what is not here (CNT-4). */
export function renderCard(language: Language, card: PreviewCard | null): Html | string {
  if (!card || !/^https?:\/\//i.test(card.url)) return ''
  const t = textsIn(language).pages.public
  const host = URL.parse(card.url)?.hostname ?? ''
  const video =
    card.type === 'video' ? html`<span class="play" title="${t.video}">${icon('play')}</span>` : ''
  const picture =
    card.image === null
      ? ''
      : html`<span class="picture"
          ><img
            src="${card.image}"
            alt="${card.image_description}"
            loading="lazy"
            decoding="async"
          />${video}</span
        >`
  const source = [card.provider_name || host, card.author_name].filter((text) => text !== '')
  return html`<a class="preview${isWide(card) ? ' large' : ''}" href="${card.url}" rel="nofollow noopener">
    ${picture}
    <span class="words" dir="auto" ${card.language ? html`lang="${card.language}"` : ''}
      ><small>${source.map((text, index) => html`${index === 0 ? '' : ' · '}<bdi>${text}</bdi>`)}</small
      ><strong>${card.title || host}</strong>${
        card.description && html`<span class="about">${card.description}</span>`
      }</span
    >
  </a>`
}

/** A picture that stands above the words: films and photos, and wide pictures that are large enough. */
function isWide(card: PreviewCard): boolean {
  if (card.image === null) return false
  return card.type === 'video' || card.type === 'photo' || (card.width >= 400 && card.width > card.height)
}
