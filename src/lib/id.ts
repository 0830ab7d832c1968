/** A 64-bit id as a decimal string: bigint in SQL, string in code and JSON. */
export type Id = string
