// The web app with people and posts, as a browser finds it.
import { buildApp } from '../../client/build/build.ts'
import { settled } from './database.ts'
import { seed } from './seed.ts'
import { port, withDataDir, withServer } from './server.ts'
import { signIn } from './session.ts'

/** Builds the app, and serves it at this address while the work is done; the first of the people is signed in. */
export async function withWebApp(work: (base: string) => Promise<void>): Promise<void> {
  await buildApp()
  await withDataDir((dataDir) =>
    withServer(
      dataDir,
      async ({ base, databaseUrl }) => {
        await seed(databaseUrl)
        await signIn(databaseUrl)
        await settled(databaseUrl)
        await work(base)
      },
      { LOCAL_DOMAIN: `127.0.0.1:${port}` },
    ),
  )
}
