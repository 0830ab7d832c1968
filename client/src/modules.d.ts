declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  export default classes
}

declare module '*.css' {}

/** The message catalogues of client/locales, compiled: language → its texts. See client/build/texts-plugin.ts. */
declare module 'virtual:texts' {
  export const catalogues: Readonly<Record<string, () => Promise<{ texts: unknown }>>>
}

/** What the service worker says: language → the part `push` of its texts, filled up with English. */
declare module 'virtual:worker-texts' {
  export const texts: Readonly<Record<string, unknown>>
}
