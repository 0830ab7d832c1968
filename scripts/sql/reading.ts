// An expression of the source where it stands, and what is kept while it is followed.
import * as ts from 'typescript/unstable/ast'
import type { Facts } from './facts.ts'
import type { Program } from './program.ts'

/** An expression where it stands, with the arguments of the calls that led there. */
export interface Bound {
  node: ts.Node
  frame: Frame
}

/** The arguments of one call; null for one of which nothing is known. */
export interface Frame {
  id: number
  bindings: ReadonlyMap<ts.Node, Bound | null>
  parent: Frame | null
}

/** One of the things that an expression may be, and when. */
export interface Meaning extends Bound {
  facts: Facts
}

export type FunctionNode = ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression

export const isFunction = (node: ts.Node): node is FunctionNode =>
  ts.isFunctionDeclaration(node) || ts.isArrowFunction(node) || ts.isFunctionExpression(node)

let frames = 0
/** A frame for a call with these arguments; `parent`: of the function that this one stands in. */
export const newFrame = (
  bindings: ReadonlyMap<ts.Node, Bound | null> = new Map(),
  parent: Frame | null = null,
) => ({
  id: (frames += 1),
  bindings,
  parent,
})

/** Thrown where the source cannot be followed. */
export class Unreadable extends Error {
  readonly node: ts.Node
  constructor(node: ts.Node, reason: string) {
    super(`${reason}: ${node.getText().replaceAll(/\s+/g, ' ').slice(0, 80)}`)
    this.node = node
  }
}

/** How deep calls may lead into each other. */
export const maxDepth = 60
/** Expressions that may be met on the way from one. */
export const maxSteps = 20_000

/** What is kept while the source is read. */
export interface Reading {
  readonly program: Program
  /** Gives the names that an expression may have where only a running program knows them. */
  readonly sample: Sampling
  /** Frames of those who call a function, by the place of the call. */
  readonly callers: Map<string, Frame>
  /** All that an expression may mean. What cannot be followed further is returned as it is. */
  resolve(bound: Bound, facts: Facts): Meaning[]
  depth: number
  steps: number
  /** Whether names of tables and columns are looked for: otherwise a text is a value, whoever it comes from. */
  isAfterNames: boolean
}

/** Returns the names that an expression may have, or undefined. */
export interface Sampling {
  (node: ts.Node): readonly string[] | undefined
}

/** The name of a property of an object that is written down. */
export const nameOfProperty = (property: ts.ObjectLiteralElementLike) =>
  ts.isSpreadAssignment(property) ? undefined : property.name?.getText().replaceAll(/['"]/g, '')

/** Whether a name means the same from its declaration on. */
export function isConstant(declaration: ts.VariableDeclaration): boolean {
  return (
    ts.isVariableDeclarationList(declaration.parent) && (declaration.parent.flags & ts.NodeFlags.Const) !== 0
  )
}

/** The frame of the call that this parameter belongs to, or null when nobody is known to have called. */
export function ownerOf(parameter: ts.ParameterDeclaration, frame: Frame): Frame | null {
  for (let one: Frame | null = frame; one; one = one.parent) {
    if (one.bindings.has(parameter.parent)) return one
  }
  return null
}

/** The frame that all began with. */
export function rootOf(frame: Frame): Frame {
  return frame.parent ? rootOf(frame.parent) : frame
}
