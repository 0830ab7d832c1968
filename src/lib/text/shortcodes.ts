/**
 * Returns a text for where no pictures can stand, such as a title: without the shortcodes of these emoji, and with its
 * spaces made one.
 */
export function withoutShortcodes(text: string, emojis: readonly { shortcode: string }[]): string {
  const known = new Set(emojis.map(({ shortcode }) => shortcode))
  return text
    .replaceAll(/:([A-Za-z0-9_]+):/g, (written, name: string) => (known.has(name) ? '' : written))
    .replaceAll(/\s+/g, ' ')
    .trim()
}
