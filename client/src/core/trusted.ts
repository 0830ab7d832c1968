// The only places where a text becomes a document or the address of a script. The content policy refuses all others.

interface Policy {
  createHTML(text: string): string
  createScriptURL(url: string): string
}

interface Factory {
  createPolicy(name: string, rules: Policy): Policy
}

const rules: Policy = {
  createHTML: (text) => text,
  createScriptURL: (url) => {
    if (url !== '/app/sw.js') throw new TypeError('No script of the app')
    return url
  },
}

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes
const policy = factory ? factory.createPolicy('stonechat', rules) : rules

/** Parses HTML without running or loading anything of it. What is shown of it goes through a list: see parts/rich-text. */
export const parseHtml = (text: string): Document =>
  new DOMParser().parseFromString(policy.createHTML(text), 'text/html')

export const serviceWorkerUrl = (): string => policy.createScriptURL('/app/sw.js')
