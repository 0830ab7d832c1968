import type { Command } from '../kit/command.ts'

export const serve: Command = {
  summary: 'Runs the server until SIGTERM or Ctrl-C',
  options: {
    roles: { value: 'LIST', help: 'Some of web,worker,streaming; all of them without this option' },
    queues: {
      value: 'LIST',
      help: 'What a worker takes from, some of events,jobs,deliveries,incoming; all of them without this option',
    },
  },
  endsItself: true,
  async run({ raw, env }) {
    const { run } = await import('#app/run.ts')
    await run([...raw], env)
  },
}
