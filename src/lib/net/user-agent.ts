// What a browser says of itself, in words of our own: nothing of what was sent comes back out.

const browsers: readonly [RegExp, string][] = [
  // Those that also call themselves Chrome or Safari come first.
  [/\bEdg(?:e|A|iOS)?\//, 'Microsoft Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
  [/\bcurl\//i, 'curl'],
]

const systems: readonly [RegExp, string][] = [
  [/\b(?:iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac(?:intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const maxLength = 300

/** The names of browser and system in a User-Agent header, each null where it is not known. */
export function readUserAgent(text: string): { browser: string | null; system: string | null } {
  const line = text.slice(0, maxLength)
  const find = (names: readonly [RegExp, string][]) =>
    names.find(([pattern]) => pattern.test(line))?.[1] ?? null
  return { browser: find(browsers), system: find(systems) }
}
