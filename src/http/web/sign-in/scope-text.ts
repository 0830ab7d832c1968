import type { Language } from '#lib/messages/catalogue.ts'
import { pickText, textsIn } from '#lib/messages/texts.ts'

/** Returns what a scope means, for people. One that nobody knows stays as it is. */
export function scopeText(language: Language, scope: string): string {
  const { whole, areas, parts } = textsIn(language).pages.scopes
  const colon = scope.lastIndexOf(':')
  const area = pickText(areas, scope.slice(colon + 1)) ?? scope
  return pickText(whole, scope) ?? pickText(parts, scope.slice(0, colon))?.({ area }) ?? scope
}
