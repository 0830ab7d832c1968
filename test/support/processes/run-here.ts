import { format } from 'node:util'
import { vi } from 'vitest'
import { describeProblem, runCommandLine } from '#cli/main.ts'
import type { Ended } from './processes.ts'

/**
 * Runs one command line in this process, as the launcher does in one of its own: a hundred processes take longer than
 * all their commands. The launcher itself is tested by cli.test.ts.
 */
export async function runHere(words: readonly string[], env: Record<string, string>): Promise<Ended> {
  const said = { stdout: '', stderr: '' }
  const hear = (name: keyof typeof said) => (text: string | Uint8Array) => {
    said[name] += typeof text === 'string' ? text : Buffer.from(text).toString('utf8')
    return true
  }
  const line =
    (name: keyof typeof said) =>
    (...parts: unknown[]) =>
      void hear(name)(`${format(...parts)}\n`)
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(hear('stdout')),
    vi.spyOn(process.stderr, 'write').mockImplementation(hear('stderr')),
    vi.spyOn(console, 'log').mockImplementation(line('stdout')),
    vi.spyOn(console, 'error').mockImplementation(line('stderr')),
  ]
  const before = process.exitCode
  const signals = (['SIGINT', 'SIGTERM'] as const).map((name) => ({ name, known: process.listeners(name) }))
  process.exitCode = 0
  try {
    await runCommandLine(words, env)
  } catch (error) {
    hear('stderr')(`${describeProblem(error)}\n`)
    process.exitCode = 1
  } finally {
    for (const spy of spies) spy.mockRestore()
    // A process of its own would take along what it listens for.
    for (const { name, known } of signals)
      for (const listener of process.listeners(name))
        if (!known.includes(listener)) process.removeListener(name, listener)
  }
  const code = Number(process.exitCode)
  process.exitCode = before
  return { code, ...said }
}
