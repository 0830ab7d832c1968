// The types of the messages, from English.
import type { Tree } from './compare.ts'
import { paramsOf } from './params.ts'

const headOf = (file: string) => `// Written by scripts/messages.ts from ${file}.

/** A message into which something is put. */
export type Say<Params> = (params: Params) => string

/** All messages by their keys: a key that there is not, and a parameter that is missing, do not compile. */
export interface Messages `

const property = (key: string) => (/^[a-z_$][\w$]*$/i.test(key) ? key : `'${key}'`)

function typeOf(value: string | Tree, indent: string): string {
  if (typeof value !== 'string') return block(value, indent)
  if (!value.includes('{')) return 'string'
  const params = Object.entries(paramsOf(value)).map(([name, type]) => `${name}: ${type}`)
  return `Say<{ ${params.join('; ')} }>`
}

function block(tree: Tree, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(tree).map(
    ([key, value]) => `${inner}readonly ${property(key)}: ${typeOf(value, inner)}\n`,
  )
  return `{\n${lines.join('')}${indent}}`
}

/** The file that declares the type of each message of a catalogue. */
export const renderTypes = (english: Tree, file = 'locales/en.json'): string =>
  `${headOf(file)}${block(english, '')}\n`
