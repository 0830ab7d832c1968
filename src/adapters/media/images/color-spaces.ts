// Colours as numbers: sRGB, HSL, CIELAB, and how far two of them are apart.

/** Each from 0 to 255, not always whole. */
export interface Rgb {
  red: number
  green: number
  blue: number
}

/** The hue in degrees, the others in hundredths; all whole numbers. */
export interface Hsl {
  hue: number
  saturation: number
  lightness: number
}

export function toHex({ red, green, blue }: Rgb): string {
  return `#${[red, green, blue].map((channel) => Math.floor(channel).toString(16).padStart(2, '0')).join('')}`
}

export function rgbToHsl({ red, green, blue }: Rgb): Hsl {
  const [r, g, b] = [red / 255, green / 255, blue / 255]
  const [max, least] = [Math.max(r, g, b), Math.min(r, g, b)]
  const lightness = (max + least) / 2
  const spread = max - least
  if (spread === 0) return { hue: 0, saturation: 0, lightness: Math.round(lightness * 100) }
  const saturation = spread / (lightness >= 0.5 ? 2 - max - least : max + least)
  const sector =
    max === r ? (g - b) / spread + (g < b ? 6 : 0) : max === g ? (b - r) / spread + 2 : (r - g) / spread + 4
  return {
    hue: Math.round(sector * 60),
    saturation: Math.round(saturation * 100),
    lightness: Math.round(lightness * 100),
  }
}

/** https://www.w3.org/TR/css-color-4/#hsl-to-rgb */
export function hslToRgb({ hue, saturation, lightness }: Hsl): Rgb {
  const light = lightness / 100
  const strength = (saturation / 100) * Math.min(light, 1 - light)
  const channel = (offset: number) => {
    const k = (offset + hue / 30) % 12
    return Math.round(255 * (light - strength * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return { red: channel(0), green: channel(8), blue: channel(4) }
}

const linear = (channel: number) => {
  const part = channel / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

/** CIE XYZ of the D65 white point, where white has the luminance 1. */
function toXyz({ red, green, blue }: Rgb): [x: number, y: number, z: number] {
  const [r, g, b] = [linear(red), linear(green), linear(blue)]
  return [
    0.4124 * r + 0.3576 * g + 0.1805 * b,
    0.2126 * r + 0.7152 * g + 0.0722 * b,
    0.0193 * r + 0.1192 * g + 0.9505 * b,
  ]
}

/** From 1 to 21 (https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio). */
export function contrastOf(one: Rgb, other: Rgb): number {
  const [a, b] = [toXyz(one)[1] + 0.05, toXyz(other)[1] + 0.05]
  return Math.max(a, b) / Math.min(a, b)
}

const white = [0.95047, 1, 1.08883] as const

function toLab(color: Rgb): [l: number, a: number, b: number] {
  const [x = 0, y = 0, z = 0] = toXyz(color).map((value, i) => {
    const ratio = value / (white[i] as number)
    return ratio > 216 / 24_389 ? Math.cbrt(ratio) : (ratio * 24_389) / 3132 + 16 / 116
  })
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

const radians = (degrees: number) => (degrees * Math.PI) / 180
const degrees = (angle: number) => (angle * 180) / Math.PI
const root = (chroma: number) => Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7))

/** CIEDE2000 (Sharma, Wu and Dalal, 2005): 0 for the same colour, about 100 for black and white. */
export function colorDifference(one: Rgb, other: Rgb): number {
  const [[l1, a1, b1], [l2, a2, b2]] = [toLab(one), toLab(other)]
  const stretch = 1.5 - 0.5 * root((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2)
  const [c1, c2] = [Math.hypot(a1 * stretch, b1), Math.hypot(a2 * stretch, b2)]
  const [h1, h2] = [hueAngle(a1 * stretch, b1), hueAngle(a2 * stretch, b2)]
  const isGrey = c1 * c2 === 0
  const turn = isGrey ? 0 : minTurn(h2 - h1)
  const hueStep = 2 * Math.sqrt(c1 * c2) * Math.sin(radians(turn / 2))
  const [light, chroma] = [(l1 + l2) / 2, (c1 + c2) / 2]
  const hue = isGrey ? h1 + h2 : meanHue(h1, h2)
  const offset = (light - 50) ** 2
  const lightPart = (l2 - l1) / (1 + (0.015 * offset) / Math.sqrt(20 + offset))
  const chromaPart = (c2 - c1) / (1 + 0.045 * chroma)
  const huePart = hueStep / (1 + 0.015 * chroma * hueWeight(hue))
  const rotation = -2 * root(chroma) * Math.sin(radians(60 * Math.exp(-(((hue - 275) / 25) ** 2))))
  return Math.sqrt(lightPart ** 2 + chromaPart ** 2 + huePart ** 2 + rotation * chromaPart * huePart)
}

const hueAngle = (a: number, b: number) => (a === 0 && b === 0 ? 0 : (degrees(Math.atan2(b, a)) + 360) % 360)
const minTurn = (turn: number) => (turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn)

function meanHue(h1: number, h2: number): number {
  if (Math.abs(h1 - h2) <= 180) return (h1 + h2) / 2
  return h1 + h2 < 360 ? (h1 + h2 + 360) / 2 : (h1 + h2 - 360) / 2
}

function hueWeight(hue: number): number {
  const wave = (factor: number, times: number, shift: number) =>
    factor * Math.cos(radians(times * hue + shift))
  return 1 - wave(0.17, 1, -30) + wave(0.24, 2, 0) + wave(0.32, 3, 6) - wave(0.2, 4, -63)
}
