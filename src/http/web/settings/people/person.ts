// A person in a list: picture, name and handle, and what else is said of them.
import type { Account } from '#entities/account.ts'
import { html } from 'hono/html'
import { renderName } from '#http/web/public/post-parts.ts'
import type { Html } from '#http/web/kit/html.ts'

/** Leads to their page here. The name stands beside the picture, which is only seen. */
export function renderPerson(account: Account, more: Html | string = ''): Html {
  return html`<div class="person">
    <img src="${account.avatar_static}" alt="" width="44" height="44" loading="lazy" />
    <div>
      <a href="/@${account.acct}">${renderName(account.display_name || account.username, account.emojis)}</a>
      <small><bdi>@${account.acct}</bdi></small> ${more}
    </div>
  </div>`
}
