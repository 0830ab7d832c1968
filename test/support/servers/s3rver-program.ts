// s3rver, an S3 store for tests, in a process of its own. Usage: s3rver-program.ts FOLDER. Prints the port on 127.0.0.1
// once requests are answered, and ends when its standard input does. Its keys are fixed: S3RVER and S3RVER.
import S3rver from '@20minutes/s3rver'

const directory = process.argv[2] ?? ''
const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory })
const { port } = await server.run()
process.stdout.write(`${port}\n`)
process.stdin.resume().on('end', () => process.kill(process.pid))
