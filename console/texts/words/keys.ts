import type { Message } from '../catalogue.ts'
import type * as english from './en.ts'

/** The keys that every language has: those of English. */
export type English = typeof english
export type Words = { [name in keyof English]: { readonly [key in keyof English[name]]: Message } }
