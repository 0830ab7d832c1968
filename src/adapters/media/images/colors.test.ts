import { describe, expect, test } from 'vitest'
import { colorDifference, contrastOf, hslToRgb, rgbToHsl, toHex, type Rgb } from './color-spaces.ts'
import { extractColors } from './colors.ts'

const rgb = (red: number, green: number, blue: number): Rgb => ({ red, green, blue })

/** A picture of one colour with a smaller one of another in its middle. */
function framed(edge: Rgb, middle: Rgb, side = 100, share = 0.5) {
  const data = new Uint8Array(3 * side * side)
  const margin = (side * (1 - share)) / 2
  for (let i = 0; i < side * side; i++) {
    const [x, y] = [i % side, Math.floor(i / side)]
    const isInside = Math.min(x, y) >= margin && Math.max(x, y) < side - margin
    const { red, green, blue } = isInside ? middle : edge
    data.set([red, green, blue], 3 * i)
  }
  return { data, width: side, height: side, channels: 3 }
}

describe('extractColors', () => {
  test('takes the background from the edge and the others from what stands out', () => {
    const { background, foreground, accent } = extractColors(framed(rgb(10, 10, 60), rgb(250, 230, 20)))!
    expect(background).toBe('#0c0c40')
    expect(accent).toBe('#f3d90c')
    // What the picture lacks is made from the background.
    expect(foreground).toBe(accent)
  })

  test('makes up what a picture of one colour lacks', () => {
    expect(extractColors(framed(rgb(255, 255, 255), rgb(255, 255, 255)))).toEqual({
      background: '#f3f3f3',
      foreground: expect.stringMatching(/^#(\w\w)\1\1$/),
      accent: expect.stringMatching(/^#(\w\w)\1\1$/),
    })
    expect(extractColors({ data: new Uint8Array(0), width: 0, height: 0, channels: 3 })).toBeNull()
  })
})

describe('colours', () => {
  test('contrast is that of the web guidelines', () => {
    expect(contrastOf(rgb(0, 0, 0), rgb(255, 255, 255))).toBeCloseTo(21, 1)
    expect(contrastOf(rgb(7, 7, 7), rgb(7, 7, 7))).toBe(1)
  })

  test.each([
    ['#ff0000', rgb(255, 0, 0), { hue: 0, saturation: 100, lightness: 50 }],
    ['#336699', rgb(51, 102, 153), { hue: 210, saturation: 50, lightness: 40 }],
    ['#808080', rgb(128, 128, 128), { hue: 0, saturation: 0, lightness: 50 }],
  ])('%s is told in other words', (hex, color, hsl) => {
    expect(toHex(color)).toBe(hex)
    expect(rgbToHsl(color)).toEqual(hsl)
    expect(toHex(hslToRgb(hsl))).toBe(hex)
  })

  // Values of other implementations of CIEDE2000.
  test.each([
    [rgb(0, 0, 0), rgb(255, 255, 255), 100],
    [rgb(255, 0, 0), rgb(0, 255, 0), 86.6],
    [rgb(255, 0, 0), rgb(0, 0, 255), 52.9],
    [rgb(10, 10, 10), rgb(10, 10, 10), 0],
  ])('the difference of %j and %j is %d', (one, other, difference) => {
    expect(colorDifference(one, other)).toBeCloseTo(difference, 1)
    expect(colorDifference(other, one)).toBeCloseTo(difference, 1)
  })
})
