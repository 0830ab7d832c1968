// Loads each part of a built program that is loaded when it is first wanted: one whose packages were left out fails.
// Run in the folder of an installed program: `node --input-type=module -e "$(cat load-parts.js)"`.
import { readdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const folder = realpathSync('dist/program')
const parts = readdirSync(folder).filter((name) => name.endsWith('.js') && name !== 'image-worker.js')
// What processes of pictures load beside.
await import('sharp')
for (const name of parts) await import(pathToFileURL(path.join(folder, name)).href)
console.log(`${parts.length} parts can be loaded`)
