import type { HtmlEscapedString } from 'hono/utils/html'

/** What a template or a part of a page is. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>
