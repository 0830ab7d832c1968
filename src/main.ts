import { run } from './app/run.ts'

await run(process.argv.slice(2), process.env)
