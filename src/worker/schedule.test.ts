import { parseCrontab } from 'graphile-worker'
import { expect, test } from 'vitest'
import type { Ctx } from '#ports/ctx.ts'
import { noTrace } from '#ports/trace.ts'
import { createTasks } from './jobs/index.ts'
import { crontab } from './schedule.ts'

test('every job of the cron table is there', () => {
  const tasks = Object.keys(createTasks({ trace: noTrace } as Ctx))
  const missing = parseCrontab(crontab).filter(({ task }) => !tasks.includes(task))
  expect(missing).toEqual([])
})

test.each(['count-days', 'count-today', 'refresh-block-lists', 'refresh-trends'])(
  '%s, which may take longer than its pause, is at work once at most, and waits once at most',
  (name) => {
    const { options } = parseCrontab(crontab).find(({ task }) => task === name) ?? {}
    expect(options).toMatchObject({ queueName: expect.any(String), jobKey: name })
  },
)
