import type { Message } from '../catalogue.ts'
import type * as english from './en.ts'

/** English defines the keys for all languages. */
export type English = typeof english
export type Words = { [name in keyof English]: { readonly [key in keyof English[name]]: Message } }
