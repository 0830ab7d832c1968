// What the operator tells of the server. Their texts are HTML of their own.
import { html, raw } from 'hono/html'
import { getSettings } from '#domain/server/instance/settings.ts'
import { findTerms } from '#domain/server/instance/document.ts'
import { getSiteUploads } from '#domain/server/instance/site-uploads.ts'
import { listRules, type ServerRule } from '#domain/server/instance/rules.ts'
import { renderThumbnail } from '#views/server/site-images.ts'
import { viewPrivacyPolicy, viewTerms } from '#views/server/instance-texts.ts'
import type { Language } from '#lib/messages/catalogue.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { textParamOrUndefined } from '../kit/form.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { renderPublicPage } from './public-page.ts'
import type { Html } from '../kit/html.ts'

async function showAbout(call: PageCall): Promise<Response> {
  const [settings, rules, terms] = await Promise.all([
    getSettings(call.ctx),
    listRules(call.ctx),
    findTerms(call.ctx),
  ])
  const t = textsIn(call.language).pages.public
  const description = settings.site_short_description || t.defaultDescription
  return renderPublicPage(call, {
    title: t.aboutTitle,
    body: html`<article class="text">
      <h1>${settings.site_title}</h1>
      <p class="lead">${description}</p>
      ${settings.site_extended_description ? html`<div>${raw(settings.site_extended_description)}</div>` : ''}
      <h2 id="rules">${t.rules}</h2>
      ${renderRules(call.language, rules)}
      ${renderContact(call, settings.site_contact_username, settings.site_contact_email)}
      ${terms ? html`<p><a href="/terms-of-service">${t.termsTitle}</a></p>` : ''}
      <p><a href="/privacy-policy">${t.privacyTitle}</a></p>
    </article>`,
    preview: {
      url: `${call.ctx.config.baseUrl}/about`,
      type: 'website',
      description,
      image: renderThumbnail(call.ctx.config, await getSiteUploads(call.ctx)).url,
      largeImage: true,
      noindex: settings.noindex,
    },
  })
}

function renderRules(language: Language, rules: readonly ServerRule[]): Html {
  if (rules.length === 0) return html`<p>${textsIn(language).pages.public.noRules}</p>`
  return html`<ol class="rules">
    ${rules.map((rule) => {
      const told = rule.translations[language] ?? rule
      return html`<li>${told.text}${told.hint ? html`<small>${told.hint}</small>` : ''}</li>`
    })}
  </ol>`
}

function renderContact(call: PageCall, contact: string, email: string): Html | string {
  const username = contact.trim().replace(/^@/, '')
  if (username === '' && email === '') return ''
  return html`<h2>${textsIn(call.language).pages.public.contact}</h2>
    <ul class="contact">
      ${username ? html`<li><a href="/@${username}">@${username}@${call.ctx.config.localDomain}</a></li>` : ''}
      ${email ? html`<li><a href="mailto:${email}">${email}</a></li>` : ''}
    </ul>`
}

async function showPrivacy(call: PageCall): Promise<Response> {
  const { content } = (await viewPrivacyPolicy(call.ctx, call.language)) as { content: string }
  return renderText(call, textsIn(call.language).pages.public.privacyTitle, html`${raw(content)}`)
}

async function showTerms(call: PageCall): Promise<Response> {
  const date = textParamOrUndefined(call.params, 'date')
  if (date === undefined && !(await findTerms(call.ctx))) return showNoTerms(call)
  const terms = await viewTerms(call.ctx, date)
  const { content, effective_date, effective } = terms as TermsJson
  const t = textsIn(call.language).pages.public
  const note = effective ? t.inForce({ day: effective_date }) : t.from({ day: effective_date })
  return renderText(
    call,
    t.termsTitle,
    html`<p class="soft">${note}</p>
      ${raw(content)}`,
  )
}

/** Most servers have rules instead. */
function showNoTerms(call: PageCall): Promise<Response> {
  const t = textsIn(call.language).pages.public
  return renderText(
    call,
    t.termsTitle,
    html`<p>${t.noTerms}</p>
      <p><a href="/about#rules">${t.rules}</a> · <a href="/privacy-policy">${t.privacyTitle}</a></p>`,
    404,
  )
}

interface TermsJson {
  content: string
  effective_date: string
  effective: boolean
}

/** `status`: 404 where there is nothing to read yet. */
function renderText(call: PageCall, title: string, text: Html, status: 200 | 404 = 200): Promise<Response> {
  return renderPublicPage(call, {
    title,
    status,
    body: html`<article class="text">
      <h1>${title}</h1>
      ${text}
    </article>`,
  })
}

export const pages: readonly Page[] = [
  { method: 'GET', path: '/about', handle: showAbout },
  { method: 'GET', path: '/about/more', handle: showAbout },
  { method: 'GET', path: '/privacy-policy', handle: showPrivacy },
  { method: 'GET', path: '/terms-of-service', handle: showTerms },
  { method: 'GET', path: '/terms-of-service/:date', handle: showTerms },
]
