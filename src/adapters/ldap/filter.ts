/** A text as it stands in a search filter, where it can mean nothing else (RFC 4515, section 3). */
export function escapeFilter(text: string): string {
  return text.replaceAll(/[\0()*\\]/g, (char) => `\\${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

/** The operator's filter for what somebody typed. */
export function fillFilter(
  template: string,
  { uid, mail, email }: { uid: string; mail: string; email: string },
): string {
  const values: Readonly<Record<string, string>> = { uid, mail, email: escapeFilter(email) }
  return template.replaceAll(/%\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}
