// `program.ts MODULE INPUT`: does the work of a module beside it, and prints what came of it and what it held meanwhile.
import type { Watch, Work } from './held.ts'

const [module = '', input = ''] = process.argv.slice(2)
const { work } = (await import(`./${module}.ts`)) as { work: Work }

function inUse(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

let [before, bytes] = [0, 0]
let timer: NodeJS.Timeout | undefined
const watch: Watch = {
  begin() {
    before = inUse()
    // Each look is a walk through all of the memory.
    timer = setInterval(watch.look, 100)
  },
  look: () => void (bytes = Math.max(bytes, inUse() - before)),
}
const result = await work(JSON.parse(input) as never, watch)
clearInterval(timer)
watch.look()
console.log(JSON.stringify({ bytes, result }))
