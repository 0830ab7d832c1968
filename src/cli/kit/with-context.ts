import type { App } from '#app/context.ts'

/** As app/command-context.ts has it, which is loaded when it is needed: help and mistakes answer at once. */
export async function withContext<T>(env: NodeJS.ProcessEnv, work: (app: App) => Promise<T>): Promise<T> {
  const command = await import('#app/command-context.ts')
  return command.withContext(env, work)
}
