// Addresses that others wrote: those of the web lead there, and nothing else is followed.

export const isWebAddress = (text: string | null): text is string =>
  text !== null && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** Shows an address of another server in a window of its own, which knows nothing of this one. */
export function openElsewhere(address: string): void {
  if (isWebAddress(address)) window.open(address, '_blank', 'noopener,noreferrer')
}
