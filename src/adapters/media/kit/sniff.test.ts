import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { useFolder } from '#test/files/media-files.ts'
import { fitPixels } from '../images/fit-pixels.ts'
import { sniffFile } from './sniff.ts'

const folder = useFolder()
const sniff = (bytes: Buffer | string) => {
  const content = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes
  return sniffFile(folder.write('file', content))
}

describe('files are told by their bytes [CNT-11]', () => {
  test.each([
    ['\0\0\0\x18ftypisom', 'mov'],
    ['\0\0\0\x14ftypqt  ', 'mov'],
    ['\0\0\0\x08wide\0\0\0\0mdat', 'mov'],
    ['\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm', 'webm'],
    ['OggS\0\x02', 'ogg'],
    ['RIFF\0\0\0\0WAVEfmt ', 'wav'],
    ['RF64\xff\xff\xff\xffWAVEds64', 'wav'],
    ['fLaC\0\0\0\x22', 'flac'],
    ['\xff\xf1\x50\x80', 'aac'],
    ['\xff\xfb\x90\x64', 'mp3'],
    ['\xff\xf3\x48\xc4', 'mp3'],
    [`ID3\x03\0\0\0\0\0\x05hello\xff\xfb\x90\x64`, 'mp3'],
    [`ID3\x04\0\0\0\0\x01\x00${'x'.repeat(128)}fLaC`, 'flac'],
    ['\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\x00\xaa\x00\x62\xce\x6c', 'asf'],
  ])('%j', async (bytes, type) => {
    expect(await sniff(bytes)).toEqual({ family: 'container', type, bytes: bytes.length })
  })

  test.each([
    '',
    'ID3',
    'ID3\x03\0\0\x7f\x7f\x7f\x7f',
    '#EXTM3U\n',
    'ffconcat version 1.0',
    '\x1aE\xdf\xa3\x9fB\x82\x88matroska',
    'RIFF\0\0\0\0AVI LIST',
    '\xff\xff\xff\xff',
    '\xff\xfb\xf0\x64',
    '<svg xmlns="http://www.w3.org/2000/svg">',
    '\0asm\x01\0\0\0',
  ])('%j is none that is taken', async (bytes) => {
    expect(await sniff(bytes)).toBeNull()
  })
})

test('fitting into a number of pixels keeps the shape and never grows', () => {
  const side = fc.integer({ min: 1, max: 20_000 })
  fc.assert(
    fc.property(side, side, fc.integer({ min: 1, max: 10_000_000 }), (width, height, pixels) => {
      const fitted = fitPixels({ width, height }, pixels)
      expect(fitted.width * fitted.height).toBeLessThanOrEqual(pixels)
      expect(Math.min(fitted.width, fitted.height)).toBeGreaterThanOrEqual(1)
      expect(fitted.width <= width && fitted.height <= height).toBe(true)
    }),
  )
  expect(fitPixels({ width: 4000, height: 3000 }, 8_294_400)).toEqual({ width: 3325, height: 2494 })
})
