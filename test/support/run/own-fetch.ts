// Runs before each test file: what this project's server answers to `fetch` is held to what its routes return, whichever
// process it runs in, and whether a test asks or another project's client inside it. Of other servers nothing is known.

declare global {
  var fetchOfNode: typeof fetch | undefined
}

const native = (globalThis.fetchOfNode ??= globalThis.fetch)
const isOwn = ({ hostname, pathname }: URL) =>
  (hostname === 'localhost' || hostname === '127.0.0.1') && pathname.startsWith('/api/')

globalThis.fetch = async (input, init) => {
  const response = await native(input, init)
  const { url, method = 'GET' } = input instanceof Request ? input : { url: String(input) }
  if (!isOwn(new URL(url))) return response
  // Only files that ask a server load its routes.
  const { assertReturned } = await import('#test/app/returned.ts')
  await assertReturned(init?.method ?? method, new URL(url), response)
  return response
}
