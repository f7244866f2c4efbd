import type { Consequence } from '../records/consequences.ts'
import type { Scopes } from './access-scope/scopes.ts'
import type { Resource } from './declaration.ts'
import type { FileSource } from './file-source.ts'
import type { HeldKind } from './held.ts'
import type { Operation } from './operation.ts'
import { theKinds } from './resource.ts'
import type { UndoGuard } from './undo/guards.ts'

/**
 * What a folder adds to the service. Its `index.ts` exports one area, or several by name if its paths are in several
 * places of the OpenAPI document. `src/operations.ts` puts all areas together.
 */
export type Area = {
  resources?: readonly Resource[]
  /** A function if they need to know what other areas add. */
  operations?: readonly Operation[] | ((all: AllAreas) => readonly Operation[])
  /** What follows from changes of records in lower layers, in the order in which it runs. */
  consequences?: readonly Consequence[]
  /** What undoing changes of its records must respect, in the order in which it is checked. */
  guards?: readonly UndoGuard[] | ((all: AllAreas) => readonly UndoGuard[])
  /** Its records that have files. */
  files?: readonly FileSource[]
  /** What a subject can hold of its records, and give to another subject. */
  held?: readonly HeldKind[]
  /** The people or records that grants of roles can cover, besides everybody. */
  scopes?: Scopes
}

/** What all areas add together. Operations and guards are complete only when a request comes: read them in a handler. */
export type AllAreas = {
  readonly resources: readonly Resource[]
  readonly files: readonly FileSource[]
  /** In the order of the areas. */
  readonly held: readonly HeldKind[]
  readonly operations: readonly Operation[]
  readonly guards: readonly UndoGuard[]
}

/**
 * Puts areas together, in the order of the list. Where resources or guards need another order, the areas that come first
 * are given; the others follow in the order of the list.
 */
export function combine(
  areas: readonly Area[],
  first: { resources: readonly Area[]; guards: readonly Area[] },
): AllAreas & { consequences: readonly Consequence[]; scopes: Scopes } {
  const startingWith = (some: readonly Area[]) => [...new Set([...some, ...areas])]
  const resources = theKinds(startingWith(first.resources).flatMap((area) => area.resources ?? []))
  const files = areas.flatMap((area) => area.files ?? [])
  const held = areas.flatMap((area) => area.held ?? [])
  const all: AllAreas = {
    resources,
    files,
    held,
    get operations() {
      return operations
    },
    get guards() {
      return guards
    },
  }
  const valuesOf = <Value>(given: readonly Value[] | ((all: AllAreas) => readonly Value[]) = []) =>
    typeof given === 'function' ? given(all) : given
  const operations = areas.flatMap((area) => valuesOf(area.operations))
  const guards = startingWith(first.guards).flatMap((area) => valuesOf(area.guards))
  const consequences = areas.flatMap((area) => area.consequences ?? [])
  const scopes: Scopes = Object.assign({}, ...areas.map((area) => area.scopes))
  return { resources, files, held, operations, guards, consequences, scopes }
}
