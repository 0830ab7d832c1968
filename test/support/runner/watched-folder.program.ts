// As a check that is killed: starts, in a watched folder, what does not mind being asked to end, and never ends itself.
import { startProcess } from '#test/processes/processes.ts'
import { withWatchedFolder } from '#test/processes/watched-folder.ts'

await withWatchedFolder('sample-', async (folder) => {
  const stubborn = "trap '' TERM HUP; sleep 10000; sleep 10000"
  startProcess('sh', ['-c', stubborn], { cwd: folder, stdio: 'ignore' })
  console.log(folder)
  await new Promise(() => setInterval(() => {}, 1000))
})
