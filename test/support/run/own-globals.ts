// Runs before each test file, so that it begins with the globals that Node has.

declare global {
  var nativesOfNode: { Request: typeof Request; Response: typeof Response } | undefined
}

// A server of @hono/node-server puts classes of its own in the place of these two, for the whole process. The files
// that follow in the same process must not find them there.
export const natives = (globalThis.nativesOfNode ??= { Request, Response })
for (const [name, value] of Object.entries(natives))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
