/**
 * Ends a statement that is planned each time it is asked, for what waits in a table that is mostly empty: a plan is made for
 * the rows that are there then, and one made for none reads the whole table once thousands wait, for each of them.
 */
export const plannedAnew = '/* planned anew */'
