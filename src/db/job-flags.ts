/** The flag of jobs that nobody waits for, in the queue's own tables. */
export const backgroundFlag = 'background'
