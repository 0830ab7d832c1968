/** Whether it is what the database says before it ends a connection, for whichever reason. */
export const isLastWord = (error: unknown): boolean =>
  ['FATAL', 'PANIC'].includes((error as { severity?: string }).severity ?? '')
