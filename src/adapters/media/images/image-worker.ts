// The process that reads pictures: the only one that loads the image library. It runs one task at a time, and ends
// with the server that started it.
import process from 'node:process'
import sharp from 'sharp'
import { endProcess } from '#adapters/end-process.ts'
import { isAppError } from '#lib/errors.ts'
import { convert, inspect, preview } from './convert.ts'
import type { ImageTasks, TaskName, TaskReply, TaskRequest } from './image-tasks.ts'
import { resizeImage } from './resize-image.ts'

type TaskTable = { [K in TaskName]: (input: ImageTasks[K]['input']) => Promise<ImageTasks[K]['output']> }

const tasks: TaskTable = { resizeImage, inspect, convert, preview }

sharp.cache(false)
sharp.concurrency(1)
// Only the decoders of the types we take, whatever else libvips knows (SVG, PDF, TIFF …).
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((name) => `VipsForeignLoad${name}`),
})

process.title = 'stonechat-pictures'
process.on('disconnect', () => endProcess())
// Whoever stops a service signals all its processes at once. The server ends this one, after its work is done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('message', async (request: TaskRequest) => send(await run(request)))
send('ready')

async function run<K extends TaskName>({ name, input }: TaskRequest<K>): Promise<TaskReply> {
  try {
    return { output: await tasks[name](input) }
  } catch (error) {
    return { reason: isAppError(error) ? error.reason : null, cause: String(error) }
  }
}

function send(reply: TaskReply): void {
  if (process.connected) process.send?.(reply)
}
