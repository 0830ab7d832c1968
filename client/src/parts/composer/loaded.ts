// What is loaded when somebody may write.
export { startOutbox } from '../../data/writing/outbox.ts'
export { Composer } from './composer.tsx'
export { ComposerDialog } from './composer-dialog.tsx'
