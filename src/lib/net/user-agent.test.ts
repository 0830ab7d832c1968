import { describe, expect, test } from 'vitest'
import { readUserAgent } from './user-agent.ts'
import { growsWithLength } from '#test/run/growth.ts'

describe('what a browser says of itself', () => {
  test.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox', 'Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0',
      'Microsoft Edge',
      'Windows',
    ],
    [
      'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
      'Chrome',
      'Android',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari',
      'iPhone',
    ],
    ['<b>Firefox</b>\r\nBcc: x@y.example', null, null],
    ['', null, null],
  ])('%s', (text, browser, system) => {
    expect(readUserAgent(text)).toEqual({ browser, system })
  })

  test('costs what its length costs, however long it is', () => {
    expect(growsWithLength(readUserAgent, 'Version/', 1_000_000)).toBe(true)
  })
})
