import type { CDPSession } from 'playwright-core'

/** Gives the browser a device that has passkeys, and knows its owner. Returns its id. */
export async function addAuthenticator(session: CDPSession): Promise<string> {
  await session.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  return (await session.send('WebAuthn.addVirtualAuthenticator', { options })).authenticatorId
}
