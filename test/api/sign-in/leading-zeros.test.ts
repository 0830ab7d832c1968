// Keys, signatures and counters of fixed length whose first bytes are zero, which one in 256 has.
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { Secret } from 'otpauth'
import { expect, test } from 'vitest'
import { loadConfig } from '#config/config.ts'
import { createAuthenticator, type Authenticator } from '#test/client/authenticator.ts'
import { findStep } from '#domain/identity/two-factor/otp-codes.ts'
import { readAssertion, readNewKey, relyingParty } from '#domain/identity/two-factor/webauthn.ts'

const config = loadConfig({ LOCAL_DOMAIN: 'chat.example' })
const { id, origin } = relyingParty(config)
const challenge = Buffer.from('a challenge').toString('base64url')
const asked = { challenge, rp: { id }, user: { id: 'dXNlcg' } }

/** The first made for which this holds, of so many that it would be a wonder if none did. */
function search<T>(make: () => T, holds: (made: T) => boolean): T {
  for (let tries = 0; tries < 8000; tries++) {
    const made = make()
    if (holds(made)) return made
  }
  throw new Error('none of 8,000 begins with a zero')
}

const firstByte = (base64url = '') => Buffer.from(base64url, 'base64url')[0]
const register = (device: Authenticator) => readNewKey(config, challenge, device.create(asked))
const answers = async (device: Authenticator, key: NonNullable<Awaited<ReturnType<typeof register>>>) => {
  const answer = device.get({ challenge })
  return readAssertion(config, key, { challenge, answer, verified: true })
}

test.each(['x', 'y'] as const)('a passkey whose %s begins with a zero is kept and opens', async (name) => {
  const makePair = () =>
    search(
      () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      ({ publicKey }) => firstByte(publicKey.export({ format: 'jwk' })[name]) === 0,
    )
  const device = createAuthenticator(origin, { makePair })
  const key = await register(device)
  expect(key).not.toBeNull()
  expect(await answers(device, key!)).toEqual({ signCount: 2 })
})

/** The lengths of the two numbers of a signature in DER (RFC 3279, section 2.2.3). */
function lengthsOf(answer: string): number[] {
  const der = Buffer.from(JSON.parse(answer).response.signature, 'base64url')
  const first = der[3] as number
  return [first, der[5 + first] as number]
}

test.each([0, 1])('a signature whose number %i has fewer bytes is read', async (which) => {
  const device = createAuthenticator(origin, { counting: false })
  const key = await register(device)
  const answer = search(
    () => device.get({ challenge }),
    (made) => (lengthsOf(made)[which] as number) < 32,
  )
  expect(await readAssertion(config, key!, { challenge, answer, verified: true })).toEqual({ signCount: 0 })
})

/** RFC 4226, section 5.3, in so many words. */
function codeOf(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', key).update(counter).digest()
  const number = mac.readUInt32BE((mac[19] as number) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

test('codes of secrets, steps and numbers that begin with zeros', () => {
  let zeros = 0
  for (let first = 0; first < 300; first++) {
    const key = Buffer.alloc(20, first).fill(0, 0, first % 20)
    const secret = new Secret({ buffer: new Uint8Array(key).buffer }).base32
    const code = codeOf(key, first)
    if (code.startsWith('0')) zeros++
    expect(findStep(secret, code, first * 30_000)).toBe(first)
  }
  expect(zeros).toBeGreaterThan(0)
})
