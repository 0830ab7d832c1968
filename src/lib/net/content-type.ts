const types: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  heic: 'image/heic',
  heif: 'image/heif',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
}

/** The content type of a picture, film or sound by the ending of its address; null when it tells nothing. */
export function mediaTypeOf(url: string): string | null {
  const path = URL.parse(url)?.pathname ?? ''
  const ending = /\.([A-Za-z0-9]{1,5})$/.exec(path)?.[1]
  return (ending && types[ending.toLowerCase()]) || null
}
