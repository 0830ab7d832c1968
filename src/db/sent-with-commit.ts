/**
 * Ends a statement without an answer that is sent along with the end of its transaction, or with the next statement in it.
 * Where it fails, what it was sent with fails by its error. Outside of transactions it means nothing.
 */
export const sentWithCommit = '/* sent with commit */'
