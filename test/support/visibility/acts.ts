// What may be done with a status by those who cannot see it: nothing, and nothing of it comes back.
import { expect } from 'vitest'
import { someOf } from './checks.ts'
import type { Probe } from './probe.ts'
import { sees, statusOf } from './world.ts'

/** Operations that tell of a status without its text, and those that act, each on what the viewer cannot see. */
export async function checkHidden(probe: Probe): Promise<void> {
  const hidden = probe.world.statuses.filter(({ index }) => !sees(probe.world, probe.viewer, index))
  for (const { index } of hidden) {
    const nth = probe.laid.run + index + (probe.viewer ?? 4)
    for (const name of someOf(probe, 'guarded', nth)) await checkGuarded(probe, index, name)
    for (const name of someOf(probe, 'acts', nth)) await checkAct(probe, index, name)
  }
}

async function checkGuarded(probe: Probe, index: number, name: string): Promise<void> {
  const id = name.includes('media') ? probe.laid.mediaIds[index] : probe.idOf(index)
  // What was attached to a deleted status is its author's to use again.
  const own = name.endsWith('/media/:id') && statusOf(probe.world, index).author === probe.viewer
  if (!id || own) return
  const path = { id, emoji: '👍', part: 'original' }
  const { status } = await probe.call(name, { path })
  expect([name, index, isRefused(probe, status)]).toEqual([name, index, true])
}

/** 401 to strangers where only people may ask; 403 for what no such operation is offered. */
const isRefused = ({ viewer }: Probe, status: number) => status === 404 || (viewer === null && status === 401)

async function checkAct(probe: Probe, index: number, name: string): Promise<void> {
  const id = idFor(probe, index, name)
  const own = name.includes('/media/') && statusOf(probe.world, index).author === probe.viewer
  if (!id || own) return
  const other = probe.idOf((index + 1) % probe.world.statuses.length)
  const { status } = await probe.call(name, {
    path: { id, quoting_status_id: other, emoji: '👍' },
    params: paramsFor(name, id, index),
    lost: true,
  })
  const takesBack = /\/un\w+$/.test(name)
  const allowed = isRefused(probe, status) || (takesBack && status === 200)
  expect([name, probe.viewer, index, status, allowed]).toEqual([name, probe.viewer, index, status, true])
}

function idFor(probe: Probe, index: number, name: string): string | null | undefined {
  if (name.includes('/polls/')) return probe.laid.pollIds[index]
  return name.includes('/media/') ? probe.laid.mediaIds[index] : probe.idOf(index)
}

function paramsFor(name: string, id: string, index: number): object {
  if (name === 'POST /api/v1/statuses') {
    return index % 2 === 0 ? { status: 'x', in_reply_to_id: id } : { status: 'x', quoted_status_id: id }
  }
  if (name.includes('/polls/')) return { choices: ['0'] }
  return { status: 'x', quote_approval_policy: 'public', description: 'x' }
}
