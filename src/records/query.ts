import type { SelectQueryBuilder } from 'kysely'

/** Statements name their tables and columns as text: the tests that run and explain them all check the names. */
export type Query = SelectQueryBuilder<any, any, any>
