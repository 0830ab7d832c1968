// Runs before each test file: what it starts ends with it, and with the process that it runs in; what it holds is let go.
import { afterAll, inject } from 'vitest'
import { endWithFile, useWorkerFolder } from '#test/processes/processes.ts'
import { letGo } from './let-go.ts'

const folder = await useWorkerFolder(inject('runFolder'))
// Of all hooks, the one that is made known first runs last.
afterAll(letGo)
afterAll(() => endWithFile(folder))
